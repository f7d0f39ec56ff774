const start = (index: number, block: unknown) => ({ type: 'content_block_start', index, content_block: block })
const delta = (index: number, fields: unknown) => ({ type: 'content_block_delta', index, delta: fields })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const text = (index: number, ...pieces: readonly string[]) => [
  start(index, { type: 'text', text: '' }),
  ...pieces.map(piece => delta(index, { type: 'text_delta', text: piece })),
  stop(index),
]
const call = (index: number, block: unknown, ...pieces: readonly string[]) => [
  start(index, block),
  ...pieces.map(piece => delta(index, { type: 'input_json_delta', partial_json: piece })),
  stop(index),
]
const usage = {
  input_tokens: 12,
  cache_creation_input_tokens: 340,
  cache_read_input_tokens: 5600,
  output_tokens: 1,
}

function answer(stopReason: string, ...blocks: readonly (readonly unknown[])[]): string {
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'msg_own',
        type: 'message',
        role: 'assistant',
        model: 'claude-haiku-4-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    { type: 'ping' },
    ...blocks.flat(),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 87, input_tokens: null, output_tokens_details: { thinking_tokens: 40 } },
    },
    { type: 'message_stop' },
  ]
  // The API pads its events with spaces.
  return events
    .map(event => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event).slice(0, -1)}   }\n\n`)
    .join('')
}

/** Streams of the Messages API, named after what each contains. */
export const answers = {
  text: answer('end_turn', text(0, 'Grüße', ' 🌤', '️ von\nhier.')),
  thoughts: answer(
    'tool_use',
    [
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'First the ' }),
      delta(0, { type: 'thinking_delta', thinking: 'weather.' }),
      delta(0, { type: 'signature_delta', signature: 'c2lnbmF0dXJl' }),
      stop(0),
      start(1, { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' }),
      stop(1),
    ],
    text(2, 'I look it up.'),
    call(3, { type: 'tool_use', id: 'toolu_a', name: 'weather', input: {} }, '', '{"city": "Os', 'lo"}'),
    call(4, { type: 'tool_use', id: 'toolu_b', name: 'now', input: {} }, ''),
  ),
  search: answer(
    'pause_turn',
    call(0, { type: 'server_tool_use', id: 'srvtoolu_a', name: 'web_search', input: {} }, '{"query":', ' "fjords"}'),
    [
      start(1, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_a',
        content: [{ type: 'web_search_result', title: 'Fjord', url: 'https://f.example', encrypted_content: 'ZQ==' }],
      }),
      stop(1),
      start(2, { type: 'text', text: '', citations: [] }),
      delta(2, { type: 'text_delta', text: 'A fjord is deep.' }),
      delta(2, {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          cited_text: 'deep',
          url: 'https://f.example',
          title: 'Fjord',
          encrypted_index: 'aQ==',
        },
      }),
      stop(2),
    ],
  ),
  cut: answer('max_tokens', text(0, 'Half an ans')),
} as const
