// What happened in the run of a finding, in time: what the faults did, what was true, and what the program wrote.
import { leavesOf, parse } from '../judge/identity.ts'
import type { Bug } from '../torture.ts'
import type { StoredChange } from '../trace.ts'

export interface StoryLine {
  readonly atMs: number
  /** `fault`: what was done to the program. `program`: what it wrote. `cluster`: what others changed. */
  readonly by: 'fault' | 'program' | 'cluster'
  readonly text: string
}

const maxLines = 40
const maxFields = 4

export function storyLines({ finding, trace }: Bug): StoryLine[] {
  const keys = new Set(finding.keys)
  const isConcerned = (change: StoredChange) => change.by !== undefined || keys.size === 0 || keys.has(change.key)
  const changes = trace.changes.filter(isConcerned).map((change) => ({
    atMs: change.atMs,
    revision: change.revision,
    by: change.by === undefined ? ('cluster' as const) : ('program' as const),
    text: `${change.key}: ${describeChange(change)}${change.by?.code === 0 ? ' (the response was lost)' : ''}`,
  }))
  const refused = trace.requests
    .filter(({ code }) => code >= 400)
    .map((one) => ({
      atMs: one.atMs,
      revision: one.revision,
      by: 'program' as const,
      text: `${one.verb} ${one.plural}${one.subresource === '' ? '' : `/${one.subresource}`} ${one.namespace}/${one.name} was refused with ${one.code}`,
    }))
  const faults = trace.events.map(({ atMs, revision, text }) => ({ atMs, revision, by: 'fault' as const, text }))
  // A millisecond holds several lines. A change comes before what else happened while its revision was the newest.
  return [...changes, ...faults, ...refused].sort((a, b) => a.revision - b.revision || a.atMs - b.atMs)
}

export function storyOf(bug: Bug): string[] {
  const lines = storyLines(bug)
  const shown = lines.length <= maxLines ? lines : [...lines.slice(0, maxLines / 2), undefined, ...lines.slice(-maxLines / 2)]
  return shown.map((line) => {
    if (line === undefined) return `… ${lines.length - maxLines} more`
    const sign = { fault: '!', program: '>', cluster: ' ' }[line.by]
    return `${sign} ${(line.atMs / 1000).toFixed(3).padStart(7)}s  ${line.text}`
  })
}

function describeChange({ type, before, after }: StoredChange): string {
  if (type === 'create') return 'created'
  if (type === 'delete') return 'gone'
  const [old, current] = [leaves(before), leaves(after)]
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter((path) => old.get(path) !== current.get(path))
  const texts = changed.slice(0, maxFields).map((path) => `${path} ${old.get(path) ?? 'absent'} → ${current.get(path) ?? 'absent'}`)
  return [...texts, ...(changed.length > maxFields ? [`${changed.length - maxFields} more fields`] : [])].join(', ')
}

function leaves(json: string | undefined): Map<string, string> {
  if (json === undefined) return new Map()
  const { metadata, ...rest } = parse(json)
  const { managedFields: _, resourceVersion: __, generation: ___, ...kept } = metadata as Record<string, unknown>
  return leavesOf({ metadata: kept, ...rest })
}
