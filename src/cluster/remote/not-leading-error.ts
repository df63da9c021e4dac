/** A write was refused because this process is not, or no longer, the leader. */
export class NotLeadingError extends Error {
  constructor() {
    super('this process is not the leader: nothing is written')
  }
}
