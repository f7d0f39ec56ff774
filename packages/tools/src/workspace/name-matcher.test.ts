import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNameMatcher } from './name-matcher.ts'
import { SENSITIVE_NAMES } from './sensitive-names.ts'

function denies(names: readonly string[], path: string): boolean {
  return createNameMatcher(names)(path.split('/'))
}

describe('createNameMatcher', () => {
  it.each([
    ['.ssh', 'a/.ssh/known_hosts', true],
    ['.ssh', 'a/.sshd/x', false],
    ['.git/config', 'a/.git/config', true],
    ['.git/config', '.git/hooks/config', false],
    ['.git/config', 'config', false],
    ['*.pem', 'a/b.pem', true],
    ['*.pem', 'a/b.pem.txt', false],
    ['*.pem', '.pem', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['.env*', '.ENV.local', true],
    ['.env*', 'env', false],
    ['', 'a', false],
    ['/a/', 'x/a', true],
  ])('createNameMatcher with %s on the path %s returns %s', (name, path, expected) => {
    expect(denies([name], path)).toBe(expected)
  })

  it('the last matching entry decides, but no entry allows a file inside a denied directory', () => {
    expect(denies(['.env*', '!.env.example'], '.env.example')).toBe(false)
    expect(denies(['!.env.example', '.env*'], '.env.example')).toBe(true)
    expect(denies(['.ssh', '.env*', '!.env.example'], '.ssh/.env.example')).toBe(true)
  })

  it('createNameMatcher matches wildcards like the equivalent regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        letters,
        fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 }),
        (name, given) => {
          expect(denies([name], given)).toBe(new RegExp(`^${name.replaceAll('*', '.*')}$`).test(given))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('createNameMatcher takes linear time for many wildcards', () => {
    expect(denies(['*a'.repeat(2_000)], 'a'.repeat(1_900))).toBe(false)
  })

  it('SENSITIVE_NAMES match common secret files and no ordinary files', () => {
    for (const path of ['.aws/credentials', '.kube/config', '.npmrc', 'x/terraform.tfstate.backup', 'tls/server.key']) {
      expect([path, denies(SENSITIVE_NAMES, path)]).toEqual([path, true])
    }
    for (const path of ['src/env.ts', 'keys.ts', 'config', '.github/workflows/ci.yml', '.gitignore', 'pem/a.ts']) {
      expect([path, denies(SENSITIVE_NAMES, path)]).toEqual([path, false])
    }
  })
})
