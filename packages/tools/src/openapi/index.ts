export { openApiTools, type OpenApiAuth, type OpenApiFilter, type OpenApiToolsOptions } from './open-api-tools.ts'
export type { OpenApiDocument } from './open-api-document.ts'
export { parseOpenApi } from './parse-open-api.ts'
export { readOpenApi, type ReadOpenApiOptions } from './read-open-api.ts'
