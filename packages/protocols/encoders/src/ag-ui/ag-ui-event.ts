/** An event of the AG-UI protocol; the other fields depend on the type. */
export interface AgUiEvent {
  readonly type: string
  readonly timestamp?: number
  readonly [field: string]: unknown
}
