export { createFileArtifacts, type FileArtifactsOptions } from './create-file-artifacts.ts'
export { createFileVault, type FileVaultOptions } from './create-file-vault.ts'
