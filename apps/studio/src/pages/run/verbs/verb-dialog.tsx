import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../../elements/button.tsx'
import { Dialog } from '../../../elements/dialog.tsx'
import { Fault } from '../../../elements/fault.tsx'

export interface VerbDialogProps<TAnswer> {
  readonly title: string
  /** Word on the button. */
  readonly verb: string
  /** Does it, with the fields of the dialog. */
  readonly act: (fields: FormData) => Promise<TAnswer>
  /** Shows the result. What the server has answered is asked for again after it, because the page may be another one then. */
  readonly done: (answer: TAnswer) => void | Promise<void>
  readonly onClose: () => void
  readonly isDisabled?: boolean | undefined
  readonly children: ReactNode
}

/** A dialog that sends one request. It stays open, with what was typed, if the server refuses. */
export function VerbDialog<TAnswer>(props: VerbDialogProps<TAnswer>) {
  const { title, verb, act, done, onClose, isDisabled = false, children } = props
  const queries = useQueryClient()
  const request = useMutation({
    mutationFn: act,
    onSuccess: async answer => {
      await done(answer)
      void queries.invalidateQueries()
    },
  })
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          request.mutate(new FormData(event.currentTarget))
        }}
      >
        {children}
        {request.error === null ? null : <Fault error={request.error} />}
        <div className="dialog-actions">
          <Button onPress={onClose}>Close</Button>
          <Button kind="first" type="submit" isDisabled={isDisabled || request.isPending}>
            {request.isPending ? `${verb} …` : verb}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
