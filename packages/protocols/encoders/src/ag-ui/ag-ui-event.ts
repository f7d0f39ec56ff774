/** An event of the AG-UI protocol. Other fields depend on the type. */
export interface AgUiEvent {
  readonly type: string
  readonly timestamp?: number
  readonly [field: string]: unknown
}
