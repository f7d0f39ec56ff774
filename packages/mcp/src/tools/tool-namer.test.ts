import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { McpNameCollision } from '../config/mcp-tool-options.ts'
import { createToolNamer } from './tool-namer.ts'

it('tool names contain server and tool, sanitized and cut to 60 characters', () => {
  const namer = createToolNamer({ server: 'fs' })
  expect(namer.nameOf('read_file')).toBe('mcp__fs__read_file')
  expect(namer.nameOf('files/read:all ✓')).toBe('mcp__fs__files_read_all__')
  expect(namer.nameOf('x'.repeat(80))).toBe(`mcp__fs__${'x'.repeat(51)}`)
})

it('a second tool of the same name gets a number, and the collision is reported once', () => {
  const collisions: McpNameCollision[] = []
  const namer = createToolNamer({ server: 'fs', onCollision: collision => collisions.push(collision) })
  const names = ['a.b', 'a:b', 'a.b', 'a:b'].map(tool => namer.nameOf(tool))
  expect(names).toEqual(['mcp__fs__a_b', 'mcp__fs__a_b_2', 'mcp__fs__a_b', 'mcp__fs__a_b_2'])
  expect(collisions).toEqual([{ server: 'fs', tool: 'a:b', wanted: 'mcp__fs__a_b', name: 'mcp__fs__a_b_2' }])
})

it('no other tool gets the name of a renamed tool', () => {
  const namer = createToolNamer({ server: 'fs', prefix: '', rename: { read_file: 'read' } })
  expect([namer.nameOf('read'), namer.nameOf('read_file')]).toEqual(['read_2', 'read'])
})

it('any set of tools gets unique, valid and stable names', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 })), tools => {
      const namer = createToolNamer({ server: 'a_server-1', prefix: 'p_' })
      const names = tools.map(tool => namer.nameOf(tool))
      expect(new Set(names).size).toBe(tools.length)
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,60}$/)
      expect(tools.toReversed().map(tool => namer.nameOf(tool))).toEqual(names.toReversed())
    }),
  )
})
