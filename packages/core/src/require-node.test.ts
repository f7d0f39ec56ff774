import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { requireNode } from './require-node.ts'

it('requireNode accepts the version in engines and rejects the one before it', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  const minimum = engines.node.replace(/^\D+/, '')
  expect(() => requireNode({ process: { versions: { node: minimum } } })).not.toThrow()
  const [major, minor] = minimum.split('.').map(Number)
  const older = `${major}.${Number(minor) - 1}.9`
  expect(() => requireNode({ process: { versions: { node: older } } })).toThrow(
    `Parley needs Node.js ${major}.${minor} or newer; this is ${older}.`,
  )
  expect(() => requireNode({ process: { versions: { node: '20.19.4' } } })).toThrow('this is 20.19.4.')
})

it.each([
  ['Bun', { process: { versions: { node: '20.0.0', bun: '1.1.0' } } }],
  ['Deno', { process: { versions: { node: '20.0.0', deno: '2.0.0' } } }],
  ['workerd', { process: { versions: { node: '20.0.0' } }, navigator: { userAgent: 'Cloudflare-Workers' } }],
  ['a browser', {}],
  ['a browser with a polyfill of process', { process: {} }],
])('requireNode accepts %s', (_, platform) => {
  expect(() => requireNode(platform)).not.toThrow()
})
