import type { Client, ClientCapabilities } from '@modelcontextprotocol/client'
import { answerSampling, canCallTools } from './answer-sampling.ts'
import type { Elicitor } from './elicitor.ts'
import type { McpRoot, McpSampling } from './mcp-client-features.ts'

/** The client features of one connection. */
export interface ClientFeatures {
  readonly elicitor: Elicitor | undefined
  readonly sampling?: McpSampling | undefined
  /** Returns the current roots. */
  readonly roots: () => readonly McpRoot[] | undefined
}

/** Returns the capabilities to declare to the server: only the features that are configured. */
export function capabilitiesOf({ elicitor, sampling, roots }: ClientFeatures): ClientCapabilities {
  return {
    ...(elicitor === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(sampling === undefined ? {} : { sampling: canCallTools(sampling) ? { tools: {} } : {} }),
    ...(roots() === undefined ? {} : { roots: { listChanged: true } }),
  }
}

export interface ServeClientFeaturesOptions extends ClientFeatures {
  readonly server: string
}

/** Answers the server's requests for the features that are configured. */
export function serveClientFeatures(
  client: Client,
  { server, elicitor, sampling, roots }: ServeClientFeaturesOptions,
): void {
  if (elicitor !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicitor.answer(params, mcpReq.signal))
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
