import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

/** A TypeScript project with `strict` and no other option: libraries are checked, and no `@types` package is named. */
export interface BareProject {
  /** The folder of the installation. */
  readonly folder: string
  /** Name of the project's folder in it. */
  readonly name: string
  /** Texts of the project's files, by name. */
  readonly files: Readonly<Record<string, string>>
  /** What the project needs beyond `strict`. @default nothing */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/** How TypeScript finds packages: as Node.js does, or as bundlers do. */
const MODULES = { nodenext: 'nodenext', bundler: 'preserve' }

/** Compiles a bare project with both ways to find packages. Returns what TypeScript reports. */
export async function checkTypes({ folder, name, files, options }: BareProject): Promise<readonly string[]> {
  const project = join(folder, name)
  await mkdir(project, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, file), text)
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const problems: string[] = []
  for (const [moduleResolution, module] of Object.entries(MODULES)) {
    const config = `tsconfig.${moduleResolution}.json`
    const compilerOptions = { strict: true, module, moduleResolution, noEmit: true, ...options }
    await writeFile(join(project, config), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
    const compiled = await runCommand(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: project })
    if (!compiled.ok) problems.push(`a TypeScript project (${moduleResolution}, ${name}):\n${compiled.output}`)
  }
  return problems
}
