import { describe, expect, it } from 'vitest'
import { parseRunCommand } from './parse-run-command.ts'

describe('parseRunCommand', () => {
  it('gives back what was written', () => {
    const command = { type: 'decide', approvalId: 'a', decision: { type: 'rejected', reason: 'no' } }
    expect(parseRunCommand(JSON.stringify(command), 'store')).toEqual(command)
  })

  it('names the place and the fault of what it cannot read', () => {
    expect(() => parseRunCommand('{', 'db, run r, item 1')).toThrow(
      'db, run r, item 1 is damaged: the command is not JSON',
    )
    expect(() => parseRunCommand('{"type":"dance"}', 'db')).toThrow('type')
    expect(() => parseRunCommand('{"type":"cancel","reason":{"kind":"odd"}}', 'db')).toThrow('reason.kind')
  })
})
