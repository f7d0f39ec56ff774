// Serves what the server scenarios of the official MCP suite ask for, with `createMcpServer`. Prints its URL.
import { defineTool, toolError, toolOk } from '@parley/core'
import { createMcpServer } from '@parley/mcp'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const file = (mediaType, data, name) => ({ type: 'file', mediaType, source: { type: 'base64', data }, name })
const text = words => ({ type: 'text', text: words })
const base64 = words => Buffer.from(words).toString('base64')
const pause = () => new Promise(resolve => setTimeout(resolve, 50))
const tool = (name, execute, input = { type: 'object' }) =>
  defineTool({ name, description: `The tool ${name}.`, input, effect: 'read', execute })

const sevenSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const notice = new EventTarget()
const tools = [
  tool('test_simple_text', () => 'This is a simple text response for testing.'),
  tool('test_image_content', () => toolOk([file('image/png', PNG)])),
  tool('test_audio_content', () => toolOk([file('audio/wav', WAV)])),
  tool('test_embedded_resource', () => toolOk([file('text/plain', base64('This is an embedded resource content.'))])),
  tool('test_multiple_content_types', () =>
    toolOk([
      text('Multiple content types test:'),
      file('image/png', PNG),
      file('application/json', base64('{"test":"data","value":123}')),
    ]),
  ),
  tool('test_error_handling', () => toolError('This tool intentionally returns an error for testing')),
  tool('test_tool_with_logging', async (_, { progress }) => {
    progress('Tool execution started')
    await pause()
    progress('Tool processing data')
    await pause()
    progress('Tool execution completed')
    return 'done'
  }),
  tool('test_tool_with_progress', async (_, { progress }) => {
    for (const step of [0, 50, 100]) {
      progress({ progress: step, total: 100 })
      await pause()
    }
    return 'done'
  }),
  tool('test_logging_tool', (_, { progress }) => {
    progress('a log message')
    return 'done'
  }),
  tool('test_streaming_elicitation', (_, { progress }) => {
    progress('no request to the client')
    return 'done'
  }),
  tool('test_trigger_tool_change', () => {
    notice.dispatchEvent(new Event('tools'))
    return 'changed'
  }),
  tool('json_schema_2020_12_tool', () => 'done', sevenSchema),
  tool('test_header', () => 'done', {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  }),
]
const source = {
  name: 'conformance',
  tools: async () => tools,
  onChange(listener) {
    notice.addEventListener('tools', listener)
    return () => notice.removeEventListener('tools', listener)
  },
  async [Symbol.asyncDispose]() {},
}

const server = createMcpServer({
  name: 'parley-conformance',
  version: '1.0.0',
  tools: [source],
  prompts: [
    {
      name: 'test_simple_prompt',
      description: 'A simple prompt.',
      render: () => 'This is a simple prompt for testing.',
    },
    {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with arguments.',
      arguments: {
        arg1: { description: 'First test argument', required: true, complete: ['testing', 'tested', 'other'] },
        arg2: { description: 'Second test argument', required: true },
      },
      render: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt with a document.',
      arguments: { resourceUri: { description: 'URI of the resource', required: true } },
      render: ({ resourceUri }) => [
        {
          role: 'user',
          content: [
            file('text/plain', base64('Embedded resource content for testing.'), resourceUri),
            text('Please process the embedded resource above.'),
          ],
        },
      ],
    },
    {
      name: 'test_prompt_with_image',
      description: 'A prompt with an image.',
      render: () => [{ role: 'user', content: [file('image/png', PNG), text('Please analyze the image above.')] }],
    },
  ],
  resources: [
    {
      uri: 'test://static-text',
      name: 'Static text',
      description: 'A text.',
      read: () => 'This is the content of the static text resource.',
    },
    {
      uri: 'test://static-binary',
      name: 'Static image',
      description: 'An image.',
      mediaType: 'image/png',
      read: () => Buffer.from(PNG, 'base64'),
    },
    {
      uri: 'test://template/{id}/data',
      name: 'Template',
      description: 'Data for an id.',
      mediaType: 'application/json',
      read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    },
    {
      uri: 'test://watched-resource',
      name: 'Watched',
      description: 'A resource that changes.',
      read: () => 'watched',
      onChange: () => () => {},
    },
  ],
})
const { url } = await server.listen()
console.log(url)
