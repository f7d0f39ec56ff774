import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntime, type RuntimeName } from '@parley-tooling/runtimes/find-runtime'
import { installPrograms } from '@parley-tooling/runtimes/install-programs'
import { claimedOutput } from '@parley/snippets/claimed-output'
import { checkTemplate } from './check-template.ts'
import { openRegistry, type LocalRegistry } from './open-registry.ts'
import { runCommand } from './run-command.ts'
import type { Tarball } from './tarball.ts'

/** How the rehearsal went. */
export interface RehearsalReport {
  /** What was checked, each with its seconds. */
  readonly steps: readonly string[]
  readonly problems: readonly string[]
}

export interface RehearsalRequest {
  /** Root of the repository. */
  readonly root: string
  readonly tarballs: readonly Tarball[]
}

/** The program of the README, and the line that it prints last. */
const PROGRAM = 'examples/first-agent/first-agent.example.ts'
const ANSWER = '12 * 34 = 408.'

/** The compilers that users have, and how TypeScript finds packages in their projects. */
const COMPILERS = { 'TypeScript 5.9': 'typescript-5', 'TypeScript 6': 'typescript-6' }
const MODULES = { nodenext: 'nodenext', bundler: 'preserve' }

/** Publishes all packages to a registry on this machine, and uses them from there as a user does. */
export async function rehearseRelease({ root, tarballs }: RehearsalRequest): Promise<RehearsalReport> {
  const steps: string[] = []
  const problems: string[] = []
  const step = async (name: string, work: () => Promise<readonly string[]>): Promise<void> => {
    const began = performance.now()
    const found = await work().catch((error: unknown) => [String(error)])
    problems.push(...found.map(problem => `${name}: ${problem}`))
    steps.push(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-rehearsal-'))
  try {
    await using registry = await openRegistry()
    await step(`${tarballs.length} packages are published`, () => publishAll(registry, tarballs))
    if (problems.length > 0) return { steps, problems }
    const user = { folder, npmrc: registry.npmrc }
    await step('the program of the README is installed and runs', () => checkProgram(user, root))
    await step('create-parley creates a project whose tests pass', () => createFromTemplate(user))
    await installPrograms()
    for (const runtime of ['node 22', 'node 24', 'bun', 'deno'] as const)
      await step(`the project runs in ${runtime}`, () => runTemplate(join(folder, 'my-agent'), runtime))
    await step('the project compiles', () => compileTemplate(join(folder, 'my-agent')))
    for (const template of await readdir(join(root, 'packages/create-parley/templates')))
      await step(`the template ${template} is installed, tested, compiled and tried`, () =>
        checkTemplate({ template, ...user }),
      )
    return { steps, problems }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function publishAll(registry: LocalRegistry, tarballs: readonly Tarball[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { path, manifest } of tarballs) {
    const problem = await registry.publish(path)
    if (problem !== undefined) problems.push(`${manifest.name}: ${problem}`)
  }
  return problems
}

interface User {
  readonly folder: string
  readonly npmrc: string
}

async function checkProgram({ folder, npmrc }: User, root: string): Promise<readonly string[]> {
  const target = join(folder, 'readme')
  await mkdir(target)
  await writeFile(join(target, 'package.json'), '{"type":"module"}')
  const packages = ['@parley/engine', '@parley/demo-model', '@parley/sqlite', '@parley/tools']
  const installed = await runCommand('npm', ['install', ...packages, '--userconfig', npmrc], { cwd: target })
  if (!installed.ok) return [installed.output]
  await cp(join(root, PROGRAM), join(target, 'agent.ts'))
  const ran = await runCommand(process.execPath, ['--disable-warning=ExperimentalWarning', 'agent.ts'], { cwd: target })
  const announced = claimedOutput(await readFile(join(root, PROGRAM), 'utf8')).join('\n')
  return ran.ok && ran.stdout.trim() === announced ? [] : [ran.output]
}

async function createFromTemplate({ folder, npmrc }: User): Promise<readonly string[]> {
  const choices = ['--template', 'minimal', '--provider', 'demo', '--store', 'memory']
  const create = ['create', '--yes', '--userconfig', npmrc, 'parley@latest', 'my-agent', '--', ...choices]
  const created = await runCommand('npm', create, { cwd: folder })
  if (!created.ok) return [created.output]
  const project = join(folder, 'my-agent')
  // The other compiler, beside the one that the template has.
  const compilers = ['typescript-5@npm:typescript@5.9', 'typescript-6@npm:typescript@6']
  const installed = await runCommand('npm', ['install', '--save-dev', ...compilers, '--userconfig', npmrc], {
    cwd: project,
  })
  if (!installed.ok) return [installed.output]
  const tested = await runCommand(process.execPath, ['--test'], { cwd: project })
  return tested.ok ? [] : [tested.output]
}

async function runTemplate(project: string, runtime: RuntimeName | 'node 24'): Promise<readonly string[]> {
  const binary = runtime === 'node 24' ? process.execPath : findRuntime(runtime)
  const args = runtime === 'deno' ? ['run', '--allow-all', 'src/main.ts'] : ['src/main.ts']
  const ran = await runCommand(binary, args, { cwd: project })
  return ran.ok && ran.stdout.includes(ANSWER) ? [] : [ran.output]
}

async function compileTemplate(project: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [compiler, name] of Object.entries(COMPILERS))
    for (const [moduleResolution, module] of Object.entries(MODULES)) {
      const tsc = join('node_modules', name, 'bin/tsc')
      const options = ['--module', module, '--moduleResolution', moduleResolution]
      const compiled = await runCommand(process.execPath, [tsc, '-p', '.', ...options], { cwd: project })
      if (!compiled.ok) problems.push(`${compiler}, ${moduleResolution}: ${compiled.output}`)
    }
  return problems
}
