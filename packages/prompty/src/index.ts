export { createPrompty, type Prompty, type PromptySource } from './create-prompty.ts'
export { executeAgent, type ExecuteAgentOptions } from './execute-agent.ts'
export { loadPrompty } from './load-prompty.ts'
export { parsePrompty, type ParsePromptyOptions } from './format/parse-prompty.ts'
export type {
  PromptyAgent,
  PromptyApiType,
  PromptyApprovalMode,
  PromptyConnection,
  PromptyModel,
  PromptyOptions,
  PromptyProperty,
  PromptyTemplate,
  PromptyTool,
  PropertyKind,
} from './format/prompty-agent.ts'
export type { PromptyFiles } from './format/prompty-files.ts'
export { validateInputs, type PromptyInputs } from './format/validate-inputs.ts'
export { parseMessages, type ParseMessagesOptions } from './messages/parse-messages.ts'
export type { PromptyMessage, PromptyPart, PromptyRole } from './format/prompty-message.ts'
export { enrichModelInfo, type ModelDataset } from './models/enrich-model-info.ts'
export { toModelInfo, type PromptyModelInfo } from './models/to-model-info.ts'
export type { AgentOptions } from './run/assemble-agent.ts'
export type { Compaction } from './run/create-trim.ts'
export type { ExecuteOptions } from './run/execute-agent.ts'
export type { GuardrailVerdict, Guardrails } from './run/guardrails.ts'
export type { PromptyEvent, PromptyEventListener } from './run/prompty-event.ts'
export type { ConnectionSource, PromptyHost, ToolKindHandler } from './host/prompty-host.ts'
export type {
  EmbedRequest,
  GenerateImagesRequest,
  PromptyProvider,
  ProviderConnection,
  ProviderFactory,
} from './host/prompty-provider.ts'
export type { InvokeOptions, RequestedCall, RunMessagesOptions } from './run/run-messages.ts'
export type { ServedPrompty, ServedPromptyArgument } from './run/to-served-prompt.ts'
export { createSteering, type Steering } from './run/steering.ts'
export { messageInputOf, type ToAgentOptions } from './run/to-agent.ts'
export type { PromptyToolHandler } from './host/prompty-host.ts'
export { renderSegments, type RenderRequest } from './template/render-segments.ts'
export { renderTemplate, type RenderedTemplate, type RenderTextRequest } from './template/render-template.ts'
export type { Segment } from './template/segment-writer.ts'
