// Starts the program of a container, depending on its image, its command and the annotations of the pod.
// Kubernetes: pkg/kubelet/container.ExpandContainerCommandAndArgs
// Kubernetes: pkg/kubelet/lifecycle.handlerRunner.Run
// Ours: no container runs, so that its program is simulated.
import type { Container, Pod, PodSpec, Volume } from '../../api/types.ts'
import { trimLastSlashes } from '../../base/url.ts'
import { isSidecar } from '../pod-predicates.ts'
import { keyOfPath, type Mount, providedPrefix, writeFile } from '../shell/files.ts'
import { type ScriptSetup, startMachine } from '../shell/machine.ts'
import { type Process, runProcess, withMachine } from '../shell/process.ts'
import { WorkBudget } from '../work-budget.ts'
import { agnhostCommand } from './agnhost-commands.ts'
import { ArgumentsTooLongError, checkArguments, environmentVariablesOf, expandReferences, hostnameOf } from './environment-variables.ts'
import { filesOf, isBaseImage, serverOf } from './image-behavior.ts'
import { exitCodeSetting, settingMs } from './pod-settings.ts'
import { isProvided } from './provided-files.ts'
import { randomFor } from './seeded-hash.ts'
import type { SyncContext } from './sync-context.ts'

type Started = { readonly process: Process } | { readonly startError: string } | { readonly configError: string }

const codeOfTerm = 143
/** How long an unknown program runs in a pod that is meant to complete. It succeeds. */
const unknownJobMs = 3000

const cannotStart =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init'

export function startProgram(sync: SyncContext, container: Container, run: number): Started {
  sync.work.beginStep()
  try {
    return startKnown(sync, container, run)
  } catch (error) {
    if (error instanceof ArgumentsTooLongError)
      return { startError: `${cannotStart}: exec ${container.command?.[0]?.slice(0, 100) ?? 'the entrypoint'}: ${error.message}` }
    throw error
  }
}

function startKnown(sync: SyncContext, container: Container, run: number): Started {
  const { pod, spec, nowMs, environment } = sync
  const { name } = container
  const image = container.image ?? ''
  const server = serverOf(image, container.command ?? [], container.args ?? [])
  const variables = environmentVariablesOf(sync, container, server === undefined)
  if (typeof variables === 'string') return { configError: variables }
  const base: Process = { startedAtMs: nowMs, codeOnTerm: codeOfTerm }
  const exitCode = exitCodeSetting(pod, environment.salt, name, run)
  const runMs = settingMs(pod, 'run-for', environment.salt, name, run)
  if (exitCode !== undefined || runMs !== undefined) return { process: { ...base, nextMs: nowMs + (runMs ?? 0), endsWith: exitCode ?? 0 } }
  const mounts = mountsOf(pod, container, variables)
  if (typeof mounts === 'string') return { configError: mounts }
  const words = wordsOf(container).map((word) => expandReferences(word, variables))
  checkArguments(words, variables)
  sync.work.add(lengthOf(words))
  if (server !== undefined) {
    if (server.serves === 'files')
      for (const [path, text] of filesOf(image)) sync.files = writeFile(sync.files, fileKeyOf(container, path), text)
    if (server.prints !== undefined) sync.output.push({ container: name, run, output: [{ atMs: nowMs, text: server.prints }] })
    return { process: { ...base, codeOnTerm: server.codeOnTerm } }
  }
  if (words.length === 0)
    return { process: isBaseImage(image) ? { ...base, nextMs: nowMs, endsWith: 0 } : unknownProgram(spec, container, base, nowMs) }
  const tester = agnhostCommand(image, container.command === undefined || container.command.length === 0 ? ['/agnhost', ...words] : words)
  const machine = startMachine(tester ?? words, {
    ...setupOf(sync, container, variables, mounts),
    nowMs,
    seed: seedOf(sync, container, 'random', run),
    onUnknown: isBaseImage(image) ? 'fail' : runsUntilStopped(spec, container) ? 'serve' : unknownJobMs,
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

/** The cost of reading a script. It is charged even beyond the budget. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((length, word) => length + word.length, 0)
}

function unknownProgram(spec: PodSpec, container: Container, base: Process, nowMs: number): Process {
  return runsUntilStopped(spec, container) ? base : { ...base, nextMs: nowMs + unknownJobMs, endsWith: 0 }
}

/** Whether an unknown program runs until it is stopped. One in an init container completes. */
function runsUntilStopped({ restartPolicy, initContainers = [] }: PodSpec, container: Container): boolean {
  if (isSidecar(container)) return true
  return restartPolicy === 'Always' && !initContainers.some(({ name }) => name === container.name)
}

export const wordsOf = ({ command = [], args = [] }: Container): readonly string[] => [...command, ...args]

const ownFiles = ({ name }: Container) => `own:${name}:`

/** The key of a file of the container. */
export const fileKeyOf = (container: Container, path: string) => keyOfPath(path, [], ownFiles(container))

/** What all scripts in the container have in common. */
function setupOf({ pod, spec }: SyncContext, container: Container, environment: ScriptSetup['environment'], mounts: ScriptSetup['mounts']) {
  const { securityContext: own, workingDir: directory = '/' } = container
  const user = own?.runAsUser ?? spec.securityContext?.runAsUser ?? 0
  const group = own?.runAsGroup ?? spec.securityContext?.runAsGroup ?? 0
  return {
    environment,
    mounts,
    own: ownFiles(container),
    directory,
    hostname: hostnameOf(pod),
    ...((user !== 0 || group !== 0) && { user: { id: user, group } }),
    ...(own?.readOnlyRootFilesystem && { isReadOnly: true }),
  }
}

const seedOf = ({ pod, environment }: SyncContext, { name }: Container, purpose: string, run: number) =>
  Math.floor(randomFor(environment.salt, pod.metadata?.uid ?? '', purpose, name, run).next() * 2 ** 32)

/**
 * Starts a command in addition to the container's own process. It uses the same files, and its output is not logged. Undefined: the
 * program is not known.
 */
export function startExec(
  sync: SyncContext,
  container: Container,
  command: readonly string[],
  nowMs: number,
  { onUnknown, assumesFile, input }: Pick<ScriptSetup, 'onUnknown' | 'assumesFile' | 'input'>,
): Process | undefined {
  sync.work.beginStep()
  const found = environmentVariablesOf(sync, container, true)
  const variables = typeof found === 'string' ? new Map<string, string>() : found
  checkArguments(command, variables)
  sync.work.add(lengthOf(command))
  const mounts = mountsOf(sync.pod, container, variables)
  const machine = startMachine(agnhostCommand(container.image ?? '', command) ?? command, {
    ...setupOf(sync, container, variables, typeof mounts === 'string' ? [] : mounts),
    nowMs,
    seed: seedOf(sync, container, 'beside', nowMs),
    onUnknown,
    ...(assumesFile && { assumesFile }),
    ...(input !== undefined && { input }),
  })
  return machine && withMachine({ startedAtMs: nowMs, codeOnTerm: codeOfTerm }, machine)
}

function runExec(
  sync: SyncContext,
  container: Container,
  command: readonly string[],
  nowMs: number,
  timeoutMs: number,
  assumesFile?: ScriptSetup['assumesFile'],
) {
  // In an image with unknown contents an unknown program succeeds; in a known base image it does not exist.
  const isKnownImage = isBaseImage(container.image ?? '')
  const process = startExec(sync, container, command, nowMs, { onUnknown: isKnownImage ? 'fail' : 0, ...(assumesFile && { assumesFile }) })
  if (process === undefined) return { exitCode: isKnownImage ? 127 : 0, tookMs: 0, text: '' }
  // It has a budget of its own, whatever the container itself has used.
  const work = new WorkBudget()
  const ran = runProcess(process, sync.files, nowMs + timeoutMs, work)
  sync.work.add(work.spent)
  sync.files = ran.files
  const text = ran.output.map((piece) => piece.text).join('')
  const { exit } = ran.process
  return exit === undefined ? { exitCode: 124, tookMs: timeoutMs, text } : { exitCode: exit.code, tookMs: exit.atMs - nowMs, text }
}

const maxHookMs = 86_400_000

export function runHook(sync: SyncContext, container: Container, command: readonly string[]): { exitCode: number; tookMs: number } {
  return runExec(sync, container, command, sync.nowMs, maxHookMs)
}

/**
 * A file that a probe reads is written by the program of the image, unless the image is known or the script of the container names the file:
 * then it exists when the script has written it.
 */
function writtenByProgram(container: Container): ScriptSetup['assumesFile'] {
  const { image = '', command = [], args = [] } = container
  if (isBaseImage(image) || serverOf(image, command, args) !== undefined) return undefined
  const script = wordsOf(container).join(' ')
  return (path) => !script.includes(path)
}

export function probeCommand(
  sync: SyncContext,
  container: Container,
  command: readonly string[],
  atMs: number,
): { passes: boolean; output: string } {
  const { exitCode, text } = runExec(sync, container, command, atMs, 60_000, writtenByProgram(container))
  return { passes: exitCode === 0, output: text }
}

// The volumes that a container mounts.
// Kubernetes: pkg/kubelet.makeMounts
// Kubernetes: pkg/kubelet/container.ExpandContainerVolumeMounts
/** The mounts of the container, or the message of Kubernetes about an invalid subPath. */
function mountsOf({ spec }: Pod, { volumeMounts = [] }: Container, variables: ReadonlyMap<string, string>): Mount[] | string {
  const mounts: Mount[] = []
  for (const { name, mountPath, subPath = '', subPathExpr } of volumeMounts) {
    const path = subPathExpr ? expandReferences(subPathExpr, variables) : subPath
    if (subPathExpr) {
      const missing = [...subPathExpr.matchAll(/\$\(([^()]*)\)/g)].map((match) => match[1]!).filter((one) => !variables.get(one))
      if (missing.length > 0) return `missing value for ${[...new Set(missing)].sort().join(', ')}`
    }
    if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`
    if (path.split('/').includes('..')) return `unable to provision SubPath \`${path}\`: must not contain '..'`
    const volume = spec?.volumes?.find((one) => one.name === name)
    const below = path === '' ? '' : `/${path}`
    mounts.push({
      path: trimLastSlashes(mountPath) || '/',
      prefix: `${prefixOf(name, volume)}${below}`,
      ...rootOf(volume, spec?.securityContext?.fsGroup),
    })
  }
  return mounts
}

function prefixOf(name: string, volume: Volume | undefined): string {
  if (volume?.hostPath) return `host:${volume.hostPath.path}`
  return volume !== undefined && isProvided(volume) ? providedPrefix(name) : `volume:${name}:`
}

const setGroup = 0o2000
const sticky = 0o1000

/** The root directory of a volume. Kubernetes sets the group of all but hostPath volumes. */
function rootOf(volume: Volume | undefined, fsGroup: number | undefined): Pick<Mount, 'mode' | 'group' | 'isInMemory'> {
  if (volume === undefined || volume.hostPath) return {}
  const isInMemory = volume.emptyDir?.medium === 'Memory' || (isProvided(volume) && !volume.configMap)
  const isOpen = volume.emptyDir !== undefined || isProvided(volume)
  const mode = (isOpen ? 0o777 : fsGroup === undefined ? 0o755 : 0o775) | (isInMemory ? sticky : 0)
  return { mode: fsGroup === undefined ? mode : mode | setGroup, group: fsGroup, ...(isInMemory && { isInMemory }) }
}
