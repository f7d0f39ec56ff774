export { bedrockPlatform, type BedrockPlatformOptions } from './bedrock-platform.ts'
export type { AwsCredentials } from './sign-request.ts'
