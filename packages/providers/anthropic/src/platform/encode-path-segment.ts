/** A text as one segment of a path: what a path may hold of itself stays, as `:` does. */
export function encodePathSegment(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,=:@]+/g, encodeURIComponent)
}
