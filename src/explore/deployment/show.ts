// The actions and states of the world of a Deployment in words.

import type { Records } from './deployment-step.ts'
import { nameOfPolicy } from './properties.ts'
import { absent, current, type DeploymentRecord, never, reasons, type SetRecord, stays } from './records.ts'
import { gone, idOf, isExcused, podOwner, podState, podTemplate, type State } from './state.ts'

const letters = ['A', 'B', 'C']
const podStates = ['', 'pending', 'ready', 'terminating', 'terminating (deleted by others)']

const podName = (pod: number) => `${podOwner(pod) === 0 ? 'an orphan' : 'a pod'} of ${letters[podTemplate(pod)]}`

export function describeAction(action: number, a: number, b: number, state: State, records: Records): string {
  const stopped = (what: string, count: number) => `${what}, and stops after ${count} ${count === 1 ? 'write' : 'writes'}`
  const variant = b === 0 ? '' : ` (choice ${b})`
  switch (action) {
    case 0:
      return 'the cache observes the Deployment'
    case 1:
      return 'the cache observes a ReplicaSet'
    case 2:
      return 'the cache observes a pod'
    case 3:
      return `the Deployment controller reconciles`
    case 4:
      return stopped(`the Deployment controller reconciles`, a)
    case 5:
      return `the ReplicaSet controller reconciles ${letters[a]}${variant}`
    case 6:
      return `the ReplicaSet controller reconciles ${letters[a]}${variant}, and its status write fails`
    case 7:
      return stopped(`the ReplicaSet controller reconciles ${letters[a]}`, b & 15)
    case 8:
      return `the API server refuses the pods of ${letters[a]}`
    case 9:
      return `${podName(state.pod(a))} becomes ready`
    case 10:
      return `${podName(state.pod(a))} terminates`
    case 11:
      return `${podName(state.pod(a))} (${podStates[podState(state.pod(a))]}) is deleted by another client`
    case 12:
      return `the user scales to ${a}`
    case 13:
      return `the user changes the template to ${letters[a]}`
    case 14:
      return records.deployments.get(state.deployment).isPaused ? 'the user resumes' : 'the user pauses'
    case 15:
      return `the user switches to ${nameOfPolicy(a)}`
    case 16:
      return `the user deletes ReplicaSet ${letters[a]}${['', ' and orphans its pods', ' in the foreground'][b]}`
    case 17:
      return `the garbage collector reaches ${podName(state.pod(a))}`
    case 18:
      return `the garbage collector removes ReplicaSet ${letters[a]}`
    case 19:
      return 'the progress deadline passes'
    case 20:
      return 'the process restarts'
    case 21:
      return `the user switches to ${nameOfPolicy(a)} and scales to ${b}`
    case 22:
      return `the user changes the template to ${letters[a]} and scales to ${b}`
    case 24:
      return 'the Deployment controller lists the pods, and the cache has them all'
    default:
      return 'everything but the terminating pods is at rest'
  }
}

const note = (name: string, value: number) => (value === absent ? '' : ` ${name} ${value}`)

function showSet(id: number, records: Records): string {
  if (id === 0) return 'none'
  const set: SetRecord = records.sets.get(id)
  const seen = set.observed === current ? '' : set.observed === never ? ', never observed' : ', outdated'
  const status = `${set.pods}/${set.ready} ready/${set.terminating} terminating${seen}`
  const notes = `${note('desired', set.desired)}${note('max', set.max)}${note('before', set.before)}${note('unreported', set.unreported)}`
  return `${set.size}${set.asActive ? ' asActive' : ''}${set.deletion === stays ? '' : ' deleting'} r${set.revision} [${status}]${notes}`
}

function showDeployment(record: DeploymentRecord): string {
  const { replicas, template, isPaused, policy, reason, waits, isObserved, pods, updated, ready, terminating } = record
  const paused = isPaused ? ', paused' : ''
  const wait = waits === 0 ? '' : `, waits for ${waits}`
  return `${replicas} of ${letters[template]}${paused}, ${nameOfPolicy(policy)} [${pods}/${updated} updated/${ready} ready/${terminating} terminating, ${reasons[reason]}${wait}${isObserved ? '' : ', not observed'}]`
}

export function showState(state: State, records: Records): string {
  const lines = state.deployments.map(
    (version, index) => `${index === 0 ? 'Deployment' : ' then'} ${showDeployment(records.deployments.get(idOf(version)))}`,
  )
  for (let template = 0; template < state.sets.length; template++) {
    const versions = state.versionsOf(template)
    if (versions.some((id) => id !== 0)) lines.push(`${letters[template]}: ${versions.map((id) => showSet(id, records)).join(' → ')}`)
  }
  const pods = state.pods.map((cached, index) => {
    const stored = state.pod(index)
    const name = (pod: number) => (pod === gone ? 'none' : `${podStates[podState(pod)]}${isExcused(pod) ? ' excused' : ''}`)
    const known = cached === gone ? stored : cached
    const owner = `${letters[podTemplate(known)]}${podOwner(known) || ' orphan'}`
    return cached === stored ? `${owner} ${name(stored)}` : `${owner} ${name(cached)} → ${name(stored)}`
  })
  lines.push(`pods (bound ${state.bound}): ${pods.join(', ') || 'none'}${state.isUnchecked ? '; unchecked' : ''}`)
  return lines.join('\n      ')
}
