// A file with everything that a replay of one plan needs.
import { readFileSync, writeFileSync } from 'node:fs'
import { messageOf } from '../../base/error-message.ts'
import type { FaultPlan } from '../plan/fault-plan.ts'
import type { Scenario } from '../scenario.ts'

export interface Replay {
  readonly scenario: Scenario
  readonly plan: FaultPlan
  readonly finding: string
}

const formatVersion = 1

export function writeReplay(path: string, replay: Replay): void {
  writeFileSync(path, `${JSON.stringify({ rollcallTorture: formatVersion, ...replay }, null, 2)}\n`)
}

/** Throws an Error that says what is wrong with the file. */
export function readReplay(path: string): Replay {
  let content: Partial<Replay> & { readonly rollcallTorture?: unknown }
  try {
    content = JSON.parse(readFileSync(path, 'utf8')) as typeof content
  } catch (error) {
    throw new Error(`Cannot read the replay ${JSON.stringify(path)}: ${messageOf(error)}`)
  }
  const { rollcallTorture, scenario, plan, finding = '' } = content
  if (rollcallTorture !== formatVersion || scenario?.run === undefined || !Array.isArray(plan?.faults))
    throw new Error(`Cannot read the replay ${JSON.stringify(path)}: it was not written by this version of rollcall torture`)
  return { scenario, plan: plan as FaultPlan, finding }
}
