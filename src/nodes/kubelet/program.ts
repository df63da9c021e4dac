// What a container runs, as far as its image, its command and the pod's annotations tell.
import type { Container, Pod, PodSpec } from '../../api/types.ts'
import { keyOfPath, type Mount, writeFile } from '../shell/files.ts'
import { startMachine, type World } from '../shell/machine.ts'
import { type Process, runProcess, withMachine } from '../shell/process.ts'
import { Work } from '../work.ts'
import { agnhostCommand } from './agnhost.ts'
import { ArgumentsTooLongError, checkArguments, environmentOf, expandReferences } from './environment.ts'
import { chanceOf } from './identity.ts'
import { filesOf, isBaseImage, serverOf } from './known-images.ts'
import { exitCodeSetting, settingMs } from './settings.ts'
import { isSidecar, type Turn } from './turn.ts'

export type Started = { readonly process: Process } | { readonly startError: string } | { readonly configError: string }

const codeOfTerm = 143
/** A program that nobody here knows, in a pod that is meant to end: it takes its time, and succeeds. */
const unknownJobMs = 3000

const cannotStart =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init'

/** Starts what the container says. */
export function startProgram(turn: Turn, container: Container, run: number): Started {
  turn.work.beginStep()
  try {
    return startKnown(turn, container, run)
  } catch (error) {
    if (error instanceof ArgumentsTooLongError)
      return { startError: `${cannotStart}: exec ${container.command?.[0]?.slice(0, 100) ?? 'the entrypoint'}: ${error.message}` }
    throw error
  }
}

function startKnown(turn: Turn, container: Container, run: number): Started {
  const { pod, spec, nowMs, surroundings } = turn
  const { name } = container
  const image = container.image ?? ''
  const server = serverOf(image, container.command ?? [], container.args ?? [])
  const environment = environmentOf(turn, container, server === undefined)
  if (typeof environment === 'string') return { configError: environment }
  const base: Process = { startedAtMs: nowMs, codeOnTerm: codeOfTerm }
  const exitCode = exitCodeSetting(pod, surroundings.salt, name, run)
  const runMs = settingMs(pod, 'run-for', surroundings.salt, name, run)
  if (exitCode !== undefined || runMs !== undefined) return { process: { ...base, nextMs: nowMs + (runMs ?? 0), endsWith: exitCode ?? 0 } }
  const mounts = mountsOf(pod, container, environment)
  if (typeof mounts === 'string') return { configError: mounts }
  const words = [...(container.command ?? []), ...(container.args ?? [])].map((word) => expandReferences(word, environment))
  checkArguments(words, environment)
  turn.work.add(lengthOf(words))
  if (server !== undefined) {
    if (server.serves === 'files')
      for (const [path, text] of filesOf(image)) turn.files = writeFile(turn.files, fileKeyOf(container, path), text)
    if (server.prints !== undefined) turn.output.push({ container: name, run, output: [{ atMs: nowMs, text: server.prints }] })
    return { process: { ...base, codeOnTerm: server.codeOnTerm } }
  }
  if (words.length === 0)
    return { process: isBaseImage(image) ? { ...base, nextMs: nowMs, endsWith: 0 } : unknownProgram(spec, container, base, nowMs) }
  const tester = agnhostCommand(container, words)
  const machine = startMachine(tester ?? words, {
    nowMs,
    environment,
    mounts,
    own: ownFiles(container),
    ...userOf(spec, container),
    directory: container.workingDir ?? '/',
    hostname: spec.hostname ?? pod.metadata?.name ?? '',
    seed: Math.floor(chanceOf(surroundings.salt, pod.metadata?.uid ?? '', 'random', name, run).next() * 2 ** 32),
    onUnknown: isBaseImage(image) ? 'fail' : goesOn(spec, container) ? 'serve' : unknownJobMs,
    isFirst: tester === undefined && !spec.shareProcessNamespace && !spec.hostPID,
  })
  if (machine === undefined) {
    if (!isBaseImage(image)) return { process: unknownProgram(spec, container, base, nowMs) }
    return {
      startError: `${cannotStart}: exec: ${JSON.stringify(words[0])}: executable file not found in $PATH`,
    }
  }
  return { process: withMachine(base, machine) }
}

/** Reading a script is work; it is done whatever is left of it. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((length, word) => length + word.length, 0)
}

function unknownProgram(spec: PodSpec, container: Container, base: Process, nowMs: number): Process {
  return goesOn(spec, container) ? base : { ...base, nextMs: nowMs + unknownJobMs, endsWith: 0 }
}

/** Whether a program that nobody knows runs until it is stopped. One that prepares the pod comes to an end. */
function goesOn({ restartPolicy, initContainers = [] }: PodSpec, container: Container): boolean {
  if (isSidecar(container)) return true
  return restartPolicy === 'Always' && !initContainers.some(({ name }) => name === container.name)
}

const ownFiles = ({ name }: Container) => `own:${name}:`

/** Where a file of the container lives. */
export const fileKeyOf = (container: Container, path: string) => keyOfPath(path, [], ownFiles(container))

/** Where the volumes are, or Kubernetes' sentence about a path below one that cannot be. */
function mountsOf({ spec }: Pod, { volumeMounts = [] }: Container, environment: ReadonlyMap<string, string>): Mount[] | string {
  const mounts: Mount[] = []
  for (const { name, mountPath, subPath = '', subPathExpr } of volumeMounts) {
    const path = subPathExpr ? expandReferences(subPathExpr, environment) : subPath
    if (subPathExpr) {
      const missing = [...subPathExpr.matchAll(/\$\(([^()]*)\)/g)].map((match) => match[1]!).filter((one) => !environment.get(one))
      if (missing.length > 0) return `missing value for ${[...new Set(missing)].sort().join(', ')}`
    }
    if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`
    if (path.split('/').includes('..')) return `unable to provision SubPath \`${path}\`: must not contain '..'`
    const hostPath = spec?.volumes?.find((volume) => volume.name === name)?.hostPath?.path
    const below = path === '' ? '' : `/${path}`
    mounts.push({
      path: withoutLastSlashes(mountPath),
      prefix: hostPath === undefined ? `volume:${name}:${below}` : `host:${hostPath}${below}`,
    })
  }
  return mounts
}

function withoutLastSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

function userOf({ securityContext: ofPod }: PodSpec, { securityContext: own }: Container) {
  const user = own?.runAsUser ?? ofPod?.runAsUser ?? 0
  const group = own?.runAsGroup ?? ofPod?.runAsGroup ?? 0
  return {
    ...((user !== 0 || group !== 0) && { user: { id: user, group } }),
    ...(own?.readOnlyRootFilesystem && { isReadOnly: true }),
  }
}

/**
 * A command beside the container's own: it sees the same files, and what it prints is not logged. Undefined: nobody knows it.
 * `onUnknown`: what becomes of programs in it that nobody knows.
 */
export function startBeside(
  turn: Turn,
  container: Container,
  command: readonly string[],
  nowMs: number,
  onUnknown: World['onUnknown'],
): Process | undefined {
  turn.work.beginStep()
  const found = environmentOf(turn, container, true)
  const environment = typeof found === 'string' ? new Map<string, string>() : found
  const { pod, surroundings } = turn
  checkArguments(command, environment)
  turn.work.add(lengthOf(command))
  const mounts = mountsOf(pod, container, environment)
  const machine = startMachine(command, {
    nowMs,
    environment,
    mounts: typeof mounts === 'string' ? [] : mounts,
    own: ownFiles(container),
    ...userOf(turn.spec, container),
    directory: container.workingDir ?? '/',
    hostname: pod.metadata?.name ?? '',
    seed: Math.floor(chanceOf(surroundings.salt, pod.metadata?.uid ?? '', 'beside', container.name, nowMs).next() * 2 ** 32),
    onUnknown,
  })
  return machine && withMachine({ startedAtMs: nowMs, codeOnTerm: codeOfTerm }, machine)
}

function runBeside(turn: Turn, container: Container, command: readonly string[], nowMs: number, mostMs: number) {
  // A program that the image may bring says that all is well, unless all that the image brings is known.
  const isKnownImage = isBaseImage(container.image ?? '')
  const process = startBeside(turn, container, command, nowMs, isKnownImage ? 'fail' : 0)
  if (process === undefined) return { exitCode: isKnownImage ? 127 : 0, tookMs: 0, text: '' }
  // Whatever the container itself does leaves it enough.
  const work = new Work()
  const ran = runProcess(process, turn.files, nowMs + mostMs, work)
  turn.work.add(work.spent)
  turn.files = ran.files
  const text = ran.output.map((piece) => piece.text).join('')
  const { exit } = ran.process
  return exit === undefined ? { exitCode: 124, tookMs: mostMs, text } : { exitCode: exit.code, tookMs: exit.atMs - nowMs, text }
}

const longestHookMs = 86_400_000

export function runHook(turn: Turn, container: Container, command: readonly string[]): { exitCode: number; tookMs: number } {
  return runBeside(turn, container, command, turn.nowMs, longestHookMs)
}

export function probeCommand(
  turn: Turn,
  container: Container,
  command: readonly string[],
  atMs: number,
): { passes: boolean; output: string } {
  const { exitCode, text } = runBeside(turn, container, command, atMs, 60_000)
  return { passes: exitCode === 0, output: text }
}
