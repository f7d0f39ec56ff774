import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ledger } from './ledger.ts'
import { ledgerFacts } from './world/folder-facts.ts'

it('ledger counts the same key of a call once, and each change without a key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
  const file = join(folder, 'ledger')
  const note = (callId: string, key?: string) => ledger({ callId }, key, { file })
  note('c0', 'a')
  note('c0', 'a')
  note('c1', 'a')
  note('c2')
  note('c2')
  expect(ledgerFacts(file)).toEqual({
    'ledger\tfile': 1,
    'ledger\tkey c0 "a"': 1,
    'ledger\tkey c1 "a"': 1,
    'ledger\tc2 changed something': 2,
  })
  rmSync(folder, { recursive: true })
})

it('ledger does nothing outside of a crash test', () => {
  expect(() => ledger({ callId: 'c0' }, 'a', { file: '' })).not.toThrow()
})
