/** Keys of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of keys that expire. */
  readonly sessionToken?: string | undefined
}
