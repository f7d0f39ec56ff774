export { INJECTION_PATTERNS } from './injection-patterns.ts'
export { markUntrusted, type MarkUntrustedOptions } from './mark-untrusted.ts'
export { sanitizeToolOutput, type SanitizeFinding, type SanitizeToolOutputOptions } from './sanitize-tool-output.ts'
