import type { Client, ClientCapabilities, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import { answerSampling } from './answer-sampling.ts'
import type { McpClientFeatures, McpElicitation, McpRoot } from './mcp-client-features.ts'

/** The features of one connection. */
export interface ClientFeatures extends Omit<McpClientFeatures, 'roots'> {
  /** As they are now. */
  readonly roots: () => readonly McpRoot[] | undefined
}

/** What the server is told this client can do: nothing that was not given. */
export function capabilitiesOf({ onElicit, sampling, roots }: ClientFeatures): ClientCapabilities {
  return {
    ...(onElicit === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(sampling === undefined ? {} : { sampling: {} }),
    ...(roots() === undefined ? {} : { roots: { listChanged: true } }),
  }
}

export interface AnswerServerOptions extends ClientFeatures {
  readonly server: string
}

/** Answers what the server may ask. */
export function answerServer(client: Client, { server, onElicit, sampling, roots }: AnswerServerOptions): void {
  if (onElicit !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }): Promise<ElicitResult> => {
      const answer = await onElicit(toElicitation(params, { server, signal: mcpReq.signal }))
      if (answer.action !== 'accept') return answer
      return { action: 'accept', content: mutable(answer.content) }
    })
  }
  if (sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      answerSampling({ ...sampling, server, params, signal: mcpReq.signal }),
    )
  }
  if (roots() !== undefined) {
    client.setRequestHandler('roots/list', () => ({
      roots: (roots() ?? []).map(({ uri, name }) => ({ uri, ...(name === undefined ? {} : { name }) })),
    }))
  }
}

function toElicitation(
  params: ElicitRequestParams,
  facts: { readonly server: string; readonly signal: AbortSignal },
): McpElicitation {
  const { message } = params
  if ('url' in params) return { ...facts, mode: 'url', message, url: params.url }
  return { ...facts, mode: 'form', message, schema: params.requestedSchema }
}

type Fields = Readonly<Record<string, string | number | boolean | readonly string[]>>

function mutable(content: Fields = {}): Record<string, string | number | boolean | string[]> {
  const entries = Object.entries(content)
  return Object.fromEntries(entries.map(([key, value]) => [key, isList(value) ? [...value] : value]))
}

function isList(value: Fields[string]): value is readonly string[] {
  return Array.isArray(value)
}
