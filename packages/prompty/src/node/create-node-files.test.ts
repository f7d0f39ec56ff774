import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPrompty } from './create-prompty.ts'
import { createNodeFiles } from './create-node-files.ts'

interface Folder extends AsyncDisposable {
  readonly path: string
  /** Writes a prompt whose connection is this reference, loads it, and returns the connection. */
  load(reference: string, options?: { readonly roots?: readonly string[] }): Promise<unknown>
}

async function openFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'prompty-'))
  const app = join(path, 'app')
  await mkdir(join(app, 'sub'), { recursive: true })
  const key = (apiKey: string): string => JSON.stringify({ kind: 'key', apiKey })
  await writeFile(join(path, 'secret.json'), key('leaked'))
  await writeFile(join(app, 'near.json'), key('near'))
  await writeFile(join(app, 'sub', 'deep.yaml'), 'kind: key\napiKey: ${env:DEEP}\n')
  await writeFile(join(app, 'circle.json'), JSON.stringify({ kind: '${file:circle.json}' }))
  await symlink(join(path, 'secret.json'), join(app, 'link.json'))
  return {
    path,
    async load(reference, { roots = [] } = {}) {
      const file = join(app, 'a.prompty')
      await writeFile(file, `---\nmodel:\n  id: x\n  connection: ${JSON.stringify(`\${file:${reference}}`)}\n---\n`)
      const { load } = createPrompty({ files: createNodeFiles({ roots }), environment: { DEEP: 'down' } })
      return (await load(file)).model?.connection
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

describe('${file:…}', () => {
  it('${file:…} reads JSON and YAML below the prompt, and resolves references in them', async () => {
    await using folder = await openFolder()
    expect(await folder.load('near.json')).toEqual({ kind: 'key', apiKey: 'near' })
    expect(await folder.load('sub/deep.yaml')).toEqual({ kind: 'key', apiKey: 'down' })
  })

  it('${file:…} rejects .. segments, absolute paths and links that lead out of the folder', async () => {
    await using folder = await openFolder()
    for (const way of [
      '../secret.json',
      'sub/../../secret.json',
      '..\\secret.json',
      join(folder.path, 'secret.json'),
      'link.json',
      'C:\\x.json',
    ])
      await expect(folder.load(way)).rejects.toThrow('outside allowed roots')
  })

  it('the host can add roots', async () => {
    await using folder = await openFolder()
    expect(await folder.load('link.json', { roots: [folder.path] })).toMatchObject({ apiKey: 'leaked' })
  })

  it('an error names a missing file, and a file that refers to itself', async () => {
    await using folder = await openFolder()
    await expect(folder.load('none.json')).rejects.toThrow(
      /a\.prompty:4 model\.connection: the file 'none\.json' is not found/,
    )
    await expect(folder.load('circle.json')).rejects.toThrow('refers to itself')
  })
})
