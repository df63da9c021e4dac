// Container logs for `kubectl logs`: up to one megabyte of the current run and of the previous one, and less once all logs together
// reach 128 megabytes.

import type { PodLogOptions } from '../api/kinds/core/pod/log-options.ts'
import { formatMicroTime, parseTime } from '../base/clock.ts'
import { getOrAdd, SetMap } from '../base/maps.ts'
import type { ContainerOutput } from './kubelet/sync-context.ts'

interface Line {
  readonly atMs: number
  /** With its line break, unless the run ended within the line. */
  readonly text: string
}

interface RunLog {
  readonly run: number
  readonly lines: Line[]
  /** How many lines were dropped from the front. */
  dropped: number
  characters: number
  isOver: boolean
}

const maxCharacters = 1024 * 1024
/** The limit for all containers together, and the minimum that each container keeps. */
const maxTotalCharacters = 128 * 1024 * 1024
const minCharacters = 16 * 1024
/** The memory that a line takes in addition to its characters. */
const lineOverhead = 48

export class ContainerLogs {
  /** By pod uid, then container name: at most two runs, the older first. */
  readonly #runs = new Map<string, Map<string, RunLog[]>>()
  readonly #followers = new SetMap<string, () => void>()
  #characters = 0

  append(uid: string, { container, run, output }: ContainerOutput): void {
    const log = this.#open(uid, container, run)
    for (const { atMs, text } of output)
      for (const line of splitLines(text)) {
        log.lines.push({ atMs, text: line })
        log.characters += line.length + lineOverhead
        this.#characters += line.length + lineOverhead
      }
    let cut = 0
    const limit = Math.max(minCharacters, Math.min(maxCharacters, maxTotalCharacters - (this.#characters - log.characters)))
    for (; log.characters > limit && cut < log.lines.length - 1; cut++) {
      log.characters -= log.lines[cut]!.text.length + lineOverhead
      this.#characters -= log.lines[cut]!.text.length + lineOverhead
    }
    if (cut > 0) log.lines.splice(0, cut)
    log.dropped += cut
    for (const wake of this.#followers.get(`${uid}/${container}`) ?? []) wake()
  }

  /** Ends the logs of the pod: followers return. */
  end(uid: string): void {
    for (const runs of this.#runs.get(uid)?.values() ?? []) for (const log of runs) log.isOver = true
    for (const [key, wakes] of [...this.#followers]) if (key.startsWith(`${uid}/`)) for (const wake of wakes) wake()
  }

  forget(uid: string): void {
    this.end(uid)
    for (const runs of this.#runs.get(uid)?.values() ?? []) for (const log of runs) this.#characters -= log.characters
    this.#runs.delete(uid)
  }

  read(uid: string, request: PodLogOptions, nowMs: number): string | AsyncIterable<string> {
    const log = this.#find(uid, request)
    const selected = selectLines(log?.lines ?? [], request, nowMs)
    const text = selected.map((line) => shownLine(line, request.timestamps)).join('')
    if (!request.follow || request.previous || log?.isOver) return text
    return this.#follow(uid, request, text, log)
  }

  #open(uid: string, container: string, run: number): RunLog {
    const containers = getOrAdd(this.#runs, uid, () => new Map<string, RunLog[]>())
    const runs = getOrAdd(containers, container, () => [])
    const last = runs.at(-1)
    if (last !== undefined && last.run >= run) return last
    if (last !== undefined) last.isOver = true
    const log: RunLog = { run, lines: [], dropped: 0, characters: 0, isOver: false }
    runs.push(log)
    if (runs.length > 2) this.#characters -= runs.shift()!.characters
    return log
  }

  #find(uid: string, { container, previous }: PodLogOptions): RunLog | undefined {
    const runs = this.#runs.get(uid)?.get(container)
    return previous ? (runs !== undefined && runs.length > 1 ? runs[0] : undefined) : runs?.at(-1)
  }

  async *#follow(uid: string, request: PodLogOptions, soFar: string, from: RunLog | undefined): AsyncGenerator<string, void> {
    const key = `${uid}/${request.container}`
    let wake = () => {}
    const onChange = () => wake()
    this.#followers.add(key, onChange)
    try {
      let log = from
      let seen = log === undefined ? 0 : log.dropped + log.lines.length
      if (soFar !== '') yield soFar
      for (;;) {
        log ??= this.#find(uid, request)
        if (log !== undefined) {
          const fresh = log.lines.slice(Math.max(0, seen - log.dropped))
          seen = log.dropped + log.lines.length
          if (fresh.length > 0) yield fresh.map((line) => shownLine(line, request.timestamps)).join('')
          if (log.isOver && seen === log.dropped + log.lines.length) return
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    } finally {
      this.#followers.remove(key, onChange)
    }
  }
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const rest = lines.pop()!
  const whole = lines.map((line) => `${line}\n`)
  return rest === '' ? whole : [...whole, rest]
}

function selectLines(lines: readonly Line[], { sinceSeconds, sinceTime, tailLines }: PodLogOptions, nowMs: number): readonly Line[] {
  const sinceMs = sinceSeconds !== undefined ? nowMs - sinceSeconds * 1000 : sinceTime !== undefined ? parseTime(sinceTime) : undefined
  const recent = sinceMs === undefined ? lines : lines.filter(({ atMs }) => atMs >= sinceMs)
  return tailLines === undefined ? recent : tailLines === 0 ? [] : recent.slice(-tailLines)
}

function shownLine({ atMs, text }: Line, timestamps: boolean): string {
  return timestamps ? `${formatMicroTime(atMs).slice(0, -1)}000Z ${text}` : text
}
