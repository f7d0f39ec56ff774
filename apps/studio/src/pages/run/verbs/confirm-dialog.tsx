import { VerbDialog } from './verb-dialog.tsx'

export interface ConfirmDialogProps<TAnswer> {
  readonly title: string
  readonly verb: string
  /** What will happen. */
  readonly text: string
  readonly act: () => Promise<TAnswer>
  readonly done: (answer: TAnswer) => void | Promise<void>
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog<TAnswer>({ title, verb, text, act, done, onClose }: ConfirmDialogProps<TAnswer>) {
  return (
    <VerbDialog title={title} verb={verb} act={act} done={done} onClose={onClose}>
      <p>{text}</p>
    </VerbDialog>
  )
}
