import { tickText } from '../../time/zone.js';
import { placeOf, type Span, type Ticks } from './scale.js';

export interface Bar {
  readonly from_ms: number;
  readonly count: number;
}

/** What the canvas shows. Sizes are CSS pixels. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly span: Span;
  readonly bars: readonly Bar[];
  readonly bar_ms: number;
  readonly ticks: Ticks;
  readonly zone: string;
  readonly point_ms: number | null;
  /** Places of a selection under way. */
  readonly brush: readonly [number, number] | null;
  readonly scheme: 'light' | 'dark';
}

const COLORS = {
  light: {
    line: '#e3e6ea',
    text: '#5c636a',
    bar: '#4c6ef5',
    later: '#c5cbd3',
    brush: 'rgb(66 99 235 / 20%)',
    point: '#c2410c',
  },
  dark: {
    line: '#33363d',
    text: '#a6adb5',
    bar: '#748ffc',
    later: '#4a4f57',
    brush: 'rgb(145 167 255 / 25%)',
    point: '#ffc078',
  },
} as const;

/** Space below the bars, for times. */
const AXIS = 16;
const FONT = '11px system-ui, sans-serif';
const LEAST_BAR = 2;

export function draw(canvas: HTMLCanvasElement, picture: Picture): void {
  const { width, height, span } = picture;
  const ratio = window.devicePixelRatio || 1;
  const [real_width, real_height] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== real_width) canvas.width = real_width;
  if (canvas.height !== real_height) canvas.height = real_height;
  const context = canvas.getContext('2d');
  if (!context) return;
  const colors = COLORS[picture.scheme];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const floor = height - AXIS;
  const point = picture.point_ms === null ? width : placeOf(picture.point_ms, span, width);
  drawTicks(context, picture, floor, colors.line, colors.text);
  drawBars(context, picture, floor, point, colors.bar, colors.later);
  if (picture.brush) {
    const [from, to] = picture.brush;
    context.fillStyle = colors.brush;
    context.fillRect(Math.min(from, to), 0, Math.abs(to - from), floor);
  }
  if (picture.point_ms !== null && point >= -1 && point <= width + 1)
    drawPoint(context, Math.min(width - 1, Math.max(1, point)), floor, colors.point);
}

function drawTicks(
  context: CanvasRenderingContext2D,
  { width, span, ticks, zone }: Picture,
  floor: number,
  line: string,
  text: string,
): void {
  context.font = FONT;
  context.textBaseline = 'alphabetic';
  context.fillStyle = line;
  context.fillRect(0, floor, width, 1);
  let free_from = 0;
  for (const ms of ticks.times) {
    const place = Math.round(placeOf(ms, span, width));
    context.fillStyle = line;
    context.fillRect(place, 0, 1, floor);
    const label = tickText(ms, zone, ticks.step_ms);
    const { width: room } = context.measureText(label);
    const left = Math.min(Math.max(0, place - room / 2), width - room);
    if (left < free_from) continue;
    free_from = left + room + 8;
    context.fillStyle = text;
    context.fillText(label, left, floor + AXIS - 4);
  }
}

/** Heights grow with the root of the count: a bulk import must not hide a single event. */
function drawBars(
  context: CanvasRenderingContext2D,
  { width, span, bars, bar_ms }: Picture,
  floor: number,
  point: number,
  before: string,
  after: string,
): void {
  const most = Math.sqrt(Math.max(1, ...bars.map(({ count }) => count)));
  for (const { from_ms, count } of bars) {
    const left = placeOf(from_ms, span, width);
    const room = placeOf(from_ms + bar_ms, span, width) - left;
    if (left > width || left + room < 0) continue;
    const height = Math.max(LEAST_BAR, (Math.sqrt(count) / most) * (floor - 4));
    context.fillStyle = left <= point ? before : after;
    context.fillRect(left, floor - height, Math.max(1, room - (room > 3 ? 1 : 0)), height);
  }
}

function drawPoint(
  context: CanvasRenderingContext2D,
  place: number,
  floor: number,
  color: string,
): void {
  context.fillStyle = color;
  context.fillRect(place - 1, 0, 2, floor + 3);
  context.beginPath();
  context.moveTo(place - 6, 0);
  context.lineTo(place + 6, 0);
  context.lineTo(place, 8);
  context.closePath();
  context.fill();
}
