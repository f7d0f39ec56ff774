import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimedOutput } from './claimed-output.ts'
import { runExample, type RunExampleOptions } from './run-example.ts'

async function run(text: string, options?: RunExampleOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-example-text-'))
  try {
    writeFileSync(join(folder, 'a.example.mts'), text)
    return await runExample(join(folder, 'a.example.mts'), options)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('runExample', () => {
  it('runExample returns the exit code, the lines and the errors of an example', async () => {
    const text = `console.log('a\\nb' as string)\nconsole.error('c')\nprocess.exitCode = 3`
    expect(await run(text)).toEqual({ exitCode: 3, output: ['a', 'b'], errors: 'c\n' })
  })

  it('runExample passes no environment variable that could hold a key', async () => {
    process.env['PARLEY_TEST_API_KEY'] = 'secret'
    const { output } = await run(`console.log(JSON.stringify(Object.keys(process.env).sort()))`)
    delete process.env['PARLEY_TEST_API_KEY']
    expect(output).toEqual(['["HOME","NODE_COMPILE_CACHE","NO_COLOR","PATH","TMPDIR"]'])
  })

  it('runExample blocks the network and allows connections to the same machine', async () => {
    const { output } = await run(`
      import { createServer } from 'node:http'
      const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1', async () => {
        console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text())
        await fetch('http://192.0.2.1:8080/').catch(error => console.log(error.cause?.message ?? error.message))
        server.closeAllConnections()
        server.close()
      })`)
    expect(output).toEqual(['hello', 'An example must run offline, and this one connects to 192.0.2.1.'])
  })

  it('runExample kills an example that does not end', async () => {
    expect(await run('setInterval(() => {}, 1000)', { timeoutMs: 500 })).toMatchObject({ exitCode: undefined })
  })
})

describe('claimedOutput', () => {
  it('claimedOutput reads claims after code and on separate lines, in order', () => {
    expect(claimedOutput(`a() // → 1\n// → two words  \n  // not → this\nconst b = 'x//→y'\n// → `)).toEqual([
      '1',
      'two words',
      '',
    ])
  })
})
