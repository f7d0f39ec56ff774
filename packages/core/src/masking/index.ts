export { findPii, findPiiFrom, PII_KINDS, type PiiKind, type PiiSpan } from './find-pii.ts'
export { mapJsonText, mapStrings } from './map-strings.ts'
export { maskMessage } from './mask-message.ts'
export { findSecrets, type SecretSpan } from '../secrets/find-secrets.ts'
