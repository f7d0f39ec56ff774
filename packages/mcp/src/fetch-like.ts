/** The part of `fetch` that is used here. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>
