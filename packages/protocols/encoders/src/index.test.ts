import { expect, it } from 'vitest'
import * as agUi from './ag-ui/index.ts'
import * as aiSdkUi from './ai-sdk-ui/index.ts'
import * as main from './index.ts'
import * as kit from './kit/index.ts'
import * as openaiChat from './openai-chat/index.ts'
import * as openaiResponses from './openai-responses/index.ts'

it.each([
  ['.', main, ['collectRun', 'encodeRun']],
  ['./ag-ui', agUi, ['createAgUiEncoder', 'parseAgUiRequest', 'toResponse']],
  [
    './ai-sdk-ui',
    aiSdkUi,
    ['UI_MESSAGE_HEADERS', 'createUiMessageEncoder', 'parseUiMessageRequest', 'toResponse', 'toUiMessages'],
  ],
  [
    './kit',
    kit,
    [
      'FrameReader',
      'SSE_HEADERS',
      'SSE_KEEP_ALIVE',
      'createRunEncoder',
      'encodeLine',
      'encodeSseFrame',
      'filePartOf',
      'fileUrlOf',
      'invalidRequest',
      'jsonSize',
      'lastResults',
      'parseBody',
      'parseMcpToolName',
      'pullItems',
      'splitInput',
      'sseResponse',
      'sseStream',
      'toClientTool',
    ],
  ],
  ['./openai-chat', openaiChat, ['createChatEncoder', 'parseChatRequest', 'toChatCompletion', 'toResponse']],
  [
    './openai-responses',
    openaiResponses,
    ['createResponsesEncoder', 'parseResponsesRequest', 'readGivenFields', 'responseIdOf', 'toResponse'],
  ],
])('@parley/encoders exports from %s exactly these values', (_, entry, names) => {
  expect(Object.keys(entry).sort()).toEqual(names)
})
