export type { AgUiEvent } from './ag-ui-event.ts'
export { createAgUiEncoder, type AgUiEncoderOptions } from './create-ag-ui-encoder.ts'
export { parseAgUiRequest, type AgUiInput } from './parse-ag-ui-request.ts'
export { toResponse } from './to-response.ts'
