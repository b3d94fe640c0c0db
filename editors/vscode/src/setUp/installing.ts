// How what is missing is installed, by what a machine installs with. Pure.

/** Whether a program is on PATH. */
export type Has = (program: string) => boolean;

interface Installer {
  program: string;
  /** Installs a Python that will do; the second, where one is there that will not. */
  python: string;
  newPython?: string;
  /** Installs a C compiler and Python's headers, where it can. */
  compiler?: string;
  /** Whether it is for everybody's packages, and needs root. */
  system?: true;
}

/** Best first. */
const INSTALLERS: readonly Installer[] = [
  { program: "uv", python: /* not shown */ "uv python install 3.13" },
  { program: "brew", python: /* not shown */ "brew install python@3.13", compiler: /* not shown */ "brew install gcc" },
  {
    program: "apt-get",
    python: /* not shown */ "apt-get install python3 python3-venv",
    newPython: /* not shown */ "apt-get install python3.11 python3.11-venv",
    compiler: /* not shown */ "apt-get install build-essential python3-dev",
    system: true,
  },
  {
    program: "dnf",
    python: /* not shown */ "dnf install python3.12",
    compiler: /* not shown */ "dnf install gcc gcc-c++ make python3-devel",
    system: true,
  },
  {
    program: "pacman",
    python: /* not shown */ "pacman -S python",
    // Python's headers come with it.
    compiler: /* not shown */ "pacman -S base-devel",
    system: true,
  },
  {
    program: "zypper",
    python: /* not shown */ "zypper install python312",
    compiler: /* not shown */ "zypper install gcc gcc-c++ make python3-devel",
    system: true,
  },
  {
    program: "apk",
    python: /* not shown */ "apk add python3",
    compiler: /* not shown */ "apk add build-base python3-dev",
    system: true,
  },
  {
    program: "xbps-install",
    python: /* not shown */ "xbps-install -S python3",
    compiler: /* not shown */ "xbps-install -S base-devel python3-devel",
    system: true,
  },
];

function command(has: Has, root: boolean, of: (installer: Installer) => string | undefined): string | undefined {
  const found = INSTALLERS.find((each) => of(each) !== undefined && has(each.program));
  const line = found && of(found);
  return line === undefined ? undefined : `${found?.system === true && !root ? "sudo " : ""}${line}`;
}

/**
 * The command that installs a Python that will do, by what this machine installs with; `old`: it has
 * one that will not. Undefined where none is known.
 */
export function pythonCommand(has: Has, old: boolean, root: boolean): string | undefined {
  return command(has, root, ({ python, newPython = python }) => (old ? newPython : python));
}

/** As `pythonCommand`, for a C compiler and Python's headers. */
export function compilerCommand(has: Has, root: boolean): string | undefined {
  return command(has, root, ({ compiler }) => compiler);
}
