import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toMessage } from './to-message.ts'

it('toMessage adds text files and images that a text names, and leaves other words with @', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-files-'))
  try {
    await writeFile(join(dir, 'a.txt'), 'hello')
    await writeFile(join(dir, 'b.PNG'), 'image')
    const text = `Compare @${dir}/a.txt and @${dir}/b.PNG for @ada, ada@example.org`
    expect(toMessage(text).content).toEqual([
      { type: 'text', text },
      { type: 'text', text: `<file name="${dir}/a.txt">\nhello\n</file>` },
      { type: 'file', mediaType: 'image/png', name: 'b.PNG', source: { type: 'base64', data: 'aW1hZ2U=' } },
    ])
  } finally {
    await rm(dir, { recursive: true })
  }
})
