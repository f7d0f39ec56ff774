import { isOption, programName } from '../arguments.ts'
import { inlineCodeOf } from './inline-code.ts'
import { refusalOfProgram } from './refused-programs.ts'
import { LOADING } from './wrapper-programs.ts'

/** Interpreters, compilers, package managers, build tools, linters and test runners. A version may follow the name. */
const TOOLS = new Set(
  (
    'node nodejs npm npx pnpm pnpx yarn bun bunx deno corepack tsc tsx ts-node vite vitest jest mocha ava eslint prettier oxlint oxfmt biome ' +
    'turbo nx rollup esbuild webpack next svelte-check playwright cypress stylelint knip tsup swc ' +
    'python pypy ipython pip pipenv poetry pdm hatch uv uvx tox nox pytest ruff black flake8 mypy pyright pylint isort coverage conda mamba virtualenv ' +
    'ruby rake bundle bundler gem rspec rubocop rails perl prove php composer phpunit lua luajit luarocks Rscript R julia groovy scala sbt ' +
    'elixir mix erl escript rebar3 ghc cabal stack dart flutter swift swiftc kotlin kotlinc dotnet java javac jar mvn gradle ant clojure lein ' +
    'go gofmt golangci-lint gopls cargo rustc rustfmt rustup clippy-driver gcc g++ cc c++ clang clang++ clang-format clang-tidy ld ar nm objdump ' +
    'make gmake cmake ctest ninja meson bazel just task sh bash dash zsh ksh fish pwsh sqlite3 protoc buf terraform helm pre-commit shellcheck ' +
    'shfmt hadolint yamllint markdownlint pandoc dot base64 yq fd ag ack tree gh glab tokei cloc'
  ).split(' '),
)
const VERSION = /-?\d[\d.]*$/

/** Returns whether a coding agent may run a program of the system by this name. */
export function isDeveloperTool(name: string): boolean {
  return TOOLS.has(name) || TOOLS.has(name.replace(VERSION, ''))
}

/** Programs that run another program, which follows one of these words. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  pdm: ['run'],
  hatch: ['run'],
  conda: ['run'],
  mamba: ['run'],
  bundle: ['exec'],
  stack: ['exec'],
  mix: ['cmd'],
}
/** Programs all of whose arguments could be a command. */
const RUNS_ARGUMENTS = new Set(['npx', 'pnpx', 'bunx', 'uvx'])

/**
 * Returns why a program may not run with these arguments. `undefined` if it may. If the program is a runner, such as
 * `npx`, every command that it could run is judged too.
 */
export function developerFault(argv: readonly string[]): string | undefined {
  const name = programName(argv[0] ?? '')
  const words = RUNNERS[name] ?? []
  const at = RUNS_ARGUMENTS.has(name) ? 0 : argv.findIndex((argument, index) => index > 0 && words.includes(argument))
  const inner = at < 0 ? [] : argv.map((_, index) => argv.slice(index)).slice(at + 1)
  return [argv, ...inner].map(ownFault).find(reason => reason !== undefined)
}

function ownFault(argv: readonly string[]): string | undefined {
  const name = programName(argv[0] ?? '')
  const refused = refusalOfProgram(name)
  if (refused !== undefined) return `'${name}' may not run here: ${refused}`
  const code = inlineCodeOf([name, ...argv.slice(1)])
  if (code !== undefined) {
    return `'${name}' may not get code on the command line (${JSON.stringify(code.slice(0, 80))}), because it cannot be checked. Write it to a file and run that.`
  }
  const loading = argv.find(argument => LOADING.test(argument))
  if (loading !== undefined) return `'${loading.slice(0, 80)}' may not be set here: it changes which programs run.`
  const special = (SPECIAL[name] ?? SPECIAL[name.replace(VERSION, '')])?.(argv)
  return special === undefined ? undefined : `'${name}' ${special}`
}

const INLINE = 'may not get a command to run, because it cannot be checked. Run the command directly.'
const SETTINGS = 'may not read or change settings outside the workspace.'
const npmFault = combine(
  refuseWords(
    /^(?:config|c|set|get|login|logout|adduser|add-user|token|publish|unpublish|owner|access|profile|star|hook|link|ln)$/,
    SETTINGS,
  ),
  refuseOptions(
    '-g',
    '--global',
    '--location',
    '--userconfig',
    '--globalconfig',
    '--prefix',
    '--call',
    '--shell-mode',
    '--script-shell',
  ),
  argv => (argv.some(one => one === '-c' || one.includes('script-shell')) ? INLINE : undefined),
)

const SPECIAL: Readonly<Record<string, (argv: readonly string[]) => string | undefined>> = {
  npm: npmFault,
  pnpm: npmFault,
  yarn: npmFault,
  bun: refuseWords(/^(?:publish|link)$/, SETTINGS),
  npx: argv => (argv.some(one => one === '-c' || isOption(one, '--call')) ? INLINE : undefined),
  pip: combine(refuseWords(/^config$/, SETTINGS), refuseOptions('--target', '--prefix', '--root')),
  gem: refuseWords(/^(?:push|signin|owner)$/, SETTINGS),
  cargo: combine(refuseWords(/^(?:login|publish|owner|yank|install)$/, SETTINGS), refuseOptions('--config')),
  go: argv => (argv[1] === 'env' && argv.some(one => one === '-w' || one === '-u') ? SETTINGS : undefined),
  poetry: refuseWords(/^(?:config|publish)$/, SETTINGS),
  gh: argv =>
    /^(?:auth|api|secret|variable|ssh-key|gpg-key|config|extension|alias|codespace|gist)$/.test(argv[1] ?? '')
      ? SETTINGS
      : undefined,
  glab: argv => (/^(?:auth|api|variable|ssh-key|config|alias)$/.test(argv[1] ?? '') ? SETTINGS : undefined),
  fd: refuseOptions('-x', '-X', '-L', '--exec', '--exec-batch', '--follow'),
  ag: refuseOptions('-f', '--follow', '--pager'),
  ack: refuseOptions('--follow', '--pager'),
  tree: refuseOptions('-l', '-o', '-R'),
  make: refuseOptions('-E', '--eval'),
  gmake: refuseOptions('-E', '--eval'),
  sqlite3: argv =>
    argv.some(one => /(?:^|[\s;])\.\w|^-(?:cmd|init)|readfile|writefile|load_extension|attach/i.test(one))
      ? INLINE
      : undefined,
  terraform: refuseWords(/^(?:console|login|logout)$/, SETTINGS),
}

type Fault = (argv: readonly string[]) => string | undefined

function combine(...faults: readonly Fault[]): Fault {
  return argv => faults.map(fault => fault(argv)).find(fault => fault !== undefined)
}

function refuseWords(words: RegExp, reason: string): Fault {
  return argv => (words.test(argv.slice(1).find(argument => !argument.startsWith('-')) ?? '') ? reason : undefined)
}

function refuseOptions(...options: readonly string[]): Fault {
  return argv => {
    const found = argv.slice(1).find(argument => options.some(option => isOption(argument, option)))
    return found === undefined ? undefined : `may not be used here with '${found}'.`
  }
}
