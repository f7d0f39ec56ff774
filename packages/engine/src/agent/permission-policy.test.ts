import { expect, it } from 'vitest'
import { createPermissionPolicy } from './permission-policy.ts'

it('createPermissionPolicy takes the first rule whose wildcards match the name of the tool', () => {
  const policy = createPermissionPolicy([
    { tool: 'mcp__*__read_*', permission: 'allow' },
    { tool: 'mcp__*', permission: 'deny' },
  ])
  expect(['mcp__files__read_text', 'mcp__files__write', 'add', 'xmcp__a'].map(policy)).toEqual([
    'allow',
    'deny',
    undefined,
    undefined,
  ])
})

it('createPermissionPolicy decides a rule with many stars on a long name without backtracking', () => {
  // A regular expression would try about 10^20 ways.
  const policy = createPermissionPolicy([{ tool: `${'*a'.repeat(8)}*b`, permission: 'deny' }])
  expect(policy('a'.repeat(1_000))).toBeUndefined()
})
