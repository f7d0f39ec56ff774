export { createBedrockPlatform, type BedrockPlatformOptions } from './create-bedrock-platform.ts'
export type { AwsCredentials } from './sign-request.ts'
