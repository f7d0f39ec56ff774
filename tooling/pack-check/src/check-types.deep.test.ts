// Deep: it compiles programs of packages that it installs, and starts the server of an editor.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkEditor } from './check-editor.ts'
import { checkTypes } from './check-types.ts'

interface Library extends Disposable {
  readonly folder: string
}

/** A folder with one installed package. */
function installLibrary(declarations: string): Library {
  const folder = mkdtempSync(join(tmpdir(), 'parley-types-'))
  const library = join(folder, 'node_modules/library')
  mkdirSync(library, { recursive: true })
  const exports = { '.': { types: './index.d.ts', default: './index.js' } }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(library, 'package.json'), JSON.stringify({ name: 'library', type: 'module', exports }))
  writeFileSync(join(library, 'index.d.ts'), declarations)
  writeFileSync(join(library, 'index.js'), 'export const open = () => undefined\n')
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

// TypeScript takes seconds to start on a machine that is busy with other tests.
const TIMEOUT = 600_000
const PROGRAM = `import { open } from 'library'\nexport const opened = open()\n`

it(
  'checkTypes reports a name that a bare project does not know, and accepts declarations that bring it',
  async () => {
    const declarations = 'export declare function open(): Disposable\n'
    using broken = installLibrary(declarations)
    const problems = await checkTypes({ folder: broken.folder, name: 'bare', files: { 'a.ts': PROGRAM } })
    expect(problems).toEqual([
      expect.stringMatching(/^a TypeScript project \(nodenext, bare\):\n.*Cannot find name 'Disposable'/),
      expect.stringMatching(/^a TypeScript project \(bundler, bare\):\n.*Cannot find name 'Disposable'/),
    ])
    using healthy = installLibrary(`/// <reference lib="esnext.disposable" />\n${declarations}`)
    expect(await checkTypes({ folder: healthy.folder, name: 'bare', files: { 'a.ts': PROGRAM } })).toEqual([])
  },
  TIMEOUT,
)

it(
  'checkEditor reports hovers that show inlined fields, and finds the implementation of a function',
  async () => {
    const fields = Array.from({ length: 9 }, (_, index) => `field${index}: string`).join('; ')
    using inlined = installLibrary(`export declare function open(): { ${fields} }\n`)
    writeFileSync(join(inlined.folder, 'a.ts'), PROGRAM)
    const expected = { hovers: ['opened'], sources: ['open'] }
    expect(await checkEditor(inlined.folder, 'a.ts', expected)).toEqual([
      expect.stringMatching(/^an editor shows this about opened.*\nconst opened: \{\n/),
    ])
    using named = installLibrary(`interface Opened { ${fields} }\nexport declare function open(): Opened\n`)
    writeFileSync(join(named.folder, 'a.ts'), PROGRAM)
    expect(await checkEditor(named.folder, 'a.ts', expected)).toEqual([])
    rmSync(join(named.folder, 'node_modules/library/index.js'))
    expect(await checkEditor(named.folder, 'a.ts', expected)).toEqual([
      expect.stringMatching(/^an editor does not find the implementation of open/),
    ])
  },
  TIMEOUT,
)
