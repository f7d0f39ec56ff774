import { toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

/** The tool `generate_uuid`, which generates random UUIDs (version 4). */
export const uuidTool = defineReadTool({
  name: 'generate_uuid',
  description: 'Makes random UUIDs (version 4).',
  input: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 100, description: 'How many. Default: 1.' } },
    additionalProperties: false,
  },
  execute: ({ count = 1 }) => {
    const uuids = Array.from({ length: Math.min(count, 100) }, () => crypto.randomUUID())
    return toolOk(uuids.join('\n'), { uuids })
  },
})
