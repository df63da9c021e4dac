/** A write was refused because this process is not, or no longer, the leader. */
export class NotLeadingError extends Error {
  constructor() {
    super('this process is not the leader: nothing is written')
  }
}

type OnFailure = (what: string, error: unknown) => void

/** Reports all other errors: that a former leader still tries to write is expected. */
export const unlessNotLeading =
  (onFailure: OnFailure): OnFailure =>
  (what, error) => {
    if (!(error instanceof NotLeadingError)) onFailure(what, error)
  }
