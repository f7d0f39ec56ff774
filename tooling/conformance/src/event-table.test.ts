import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BUS_EVENT_TYPES } from '@parley/core'
import { entrySchema } from '@parley/core/schema'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'

// Core declares its schemas without zod's types.
const { options } = entrySchema as unknown as z.ZodDiscriminatedUnion<z.ZodObject<{ type: z.ZodLiteral<string> }>[]>
const ENVELOPE = ['type', 'v', 'seq', 'at', 'runId', 'sessionId', 'path']
const document = readFileSync(path.join(import.meta.dirname, '../../../docs/events.md'), 'utf8')

/** The rows of a section's table: type name and fields. */
function tableOf(heading: string): Map<string, string[]> {
  const section = document.split('\n## ').find(part => part.startsWith(heading)) ?? ''
  const rows = section.split('\n').filter(line => line.startsWith('| `'))
  return new Map(
    rows.map(row => {
      const [, type = '', , fields = ''] = row.split('|')
      return [namesIn(type)[0] ?? '', namesIn(fields).toSorted()]
    }),
  )
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

describe('the table of events', () => {
  it('the table of events has every entry with all of its fields', () => {
    const entries = options.map(({ shape }): [string, string[]] => {
      const fields = Object.entries(shape).filter(([name]) => !ENVELOPE.includes(name))
      return [
        shape.type.value,
        fields.map(([name, field]) => (field.safeParse(undefined).success ? `${name}?` : name)).toSorted(),
      ]
    })
    expect(Object.fromEntries(tableOf('Entries'))).toEqual(Object.fromEntries(entries))
  })

  it('the table of events has every live event', () => {
    // A bus also delivers the events of runtimes and MCP servers.
    const ofRuns = BUS_EVENT_TYPES.filter(type => !/^(?:runtime|mcp)\./.test(type))
    const entries = new Set<string>(options.map(({ shape }) => shape.type.value))
    const live = ofRuns.filter(type => !entries.has(type))
    expect([...tableOf('Live').keys()].toSorted()).toEqual(live.toSorted())
  })
})
