export default function StatePage() {
  return <h1>State</h1>;
}
