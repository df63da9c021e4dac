// What happened in one run.

/** A write of the program. Fields that become known when it was handled are set then. */
export interface TracedRequest {
  readonly verb: string
  readonly group: string
  readonly plural: string
  /** '' is the object itself. */
  readonly subresource: string
  readonly namespace: string
  /** Of a create: that of the created object. */
  name: string
  readonly agent: string
  readonly user: string
  /** 0 is the start of the program; step n is the n-th of the scenario. */
  readonly step: number
  /** Since the start of the run, in real time. */
  readonly atMs: number
  /** The newest revision when it arrived. */
  readonly revision: number
  /** 0: it was lost. */
  code: number
  /** Undefined: it changed nothing. */
  change: StoredChange | undefined
}

export interface StoredChange {
  readonly type: 'create' | 'update' | 'delete'
  /** `pods/default/web-1`. */
  readonly key: string
  readonly revision: number
  readonly step: number
  readonly atMs: number
  /** JSON. */
  readonly before: string | undefined
  readonly after: string | undefined
  /** The write of the program that made the change. */
  by?: TracedRequest
}

/** Whether the change marked the object for deletion. */
export const isMark = ({ before, after }: StoredChange): boolean => isTerminating(after) && !isTerminating(before)

const isTerminating = (json: string | undefined) => json?.includes('"deletionTimestamp":"') === true

/** Something that the run itself did: a fault, a step. */
export interface RunEvent {
  readonly atMs: number
  /** The newest revision when it happened. */
  readonly revision: number
  readonly text: string
}

export interface RunTrace {
  readonly requests: readonly TracedRequest[]
  readonly changes: readonly StoredChange[]
  /** The watches that it had opened when it had started. */
  readonly watchesAtStart: number
  /** How many watches the program opened, by kind. */
  readonly watched: ReadonlyMap<string, number>
  /** Reads by verb and kind: `list pods`. */
  readonly reads: ReadonlyMap<string, number>
  readonly events: readonly RunEvent[]
  /**
   * The objects after the start and after each step but the last, by key. Undefined where a fault still lasted: the program could not know better.
   */
  readonly stepEnds: readonly (ReadonlyMap<string, string> | undefined)[]
  /** The objects at the end, by key. */
  readonly end: ReadonlyMap<string, string>
  /** The objects at the start, by key. */
  readonly start: ReadonlyMap<string, string>
  readonly problems: readonly RunProblem[]
  /** How often the program went on though it slept and no timer was due: something else wakes it. */
  readonly unforeseenWakeups: number
  /** Whether every fault of the plan occurred. */
  readonly hasOccurred: boolean
  readonly durationMs: number
  readonly residentBytes: number
  /** The last output of the program. */
  readonly output: string
}

export interface RunProblem {
  readonly type: 'exit' | 'expectation' | 'restless' | 'step'
  readonly text: string
  readonly atMs: number
}
