import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import * as check from './check/index.ts'
import * as main from './index.ts'
import * as schema from './schema/index.ts'

it('@parley/agent-api exports exactly these values', () => {
  expect(Object.keys(main).sort()).toEqual([
    'ResponseBuilder',
    'SSE_HEADERS',
    'SSE_KEEP_ALIVE',
    'agentApiStream',
    'createAgentClient',
    'createAgentEncoder',
    'createEventDecoder',
    'createEventLog',
    'encodeNdjson',
    'encodeSse',
    'fileContent',
    'generateStreamingResponse',
    'mergeData',
    'readAgentStream',
    'responseText',
    'streamEndedEvent',
    'toAgentError',
    'toHttpStatus',
    'toResponse',
    'toRunEvents',
    'toRunInput',
    'toSseStream',
  ])
  expect(Object.keys(check).sort()).toEqual(['checkAgentEvents', 'createStreamChecker'])
  expect(Object.keys(schema).sort()).toEqual([
    'agentContentSchema',
    'agentErrorSchema',
    'agentEventSchema',
    'agentMessageSchema',
    'agentRequestSchema',
    'agentResponseSchema',
    'agentRoleSchema',
    'agentStatusSchema',
    'agentToolSchema',
    'audioContentSchema',
    'contentDeltaSchema',
    'contentEndSchema',
    'contentEventSchema',
    'contentSnapshotSchema',
    'dataContentSchema',
    'fileContentSchema',
    'functionCallOutputSchema',
    'functionCallSchema',
    'imageContentSchema',
    'inputContentSchema',
    'inputMessageSchema',
    'mcpApprovalRequestSchema',
    'mcpApprovalResponseSchema',
    'mcpCallSchema',
    'mcpListToolsSchema',
    'messageEventSchema',
    'messageTypeSchema',
    'parseAgentRequest',
    'refusalContentSchema',
    'responseEventSchema',
    'textContentSchema',
    'toolPayloadSchemas',
    'videoContentSchema',
  ])
})

it('importing @parley/agent-api does not load zod', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)})
    process.stdout.write(loaded.join('\\n'))
  `
  const args = ['--conditions=@parley/source', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toContain('response-builder.ts')
  expect(stdout).not.toContain('zod')
})
