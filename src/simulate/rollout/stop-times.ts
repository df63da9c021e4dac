// How long the containers of a deleted pod take to stop where the user does not say it. Pure.
//
// A preStop hook runs before SIGTERM. What a hook does is known only if it sleeps, or if its script consists of commands whose time is
// known. Any other hook (a drain script of the image, a loop that waits for a program, an HTTP request) is opaque: it mostly waits for
// connections to end, so the container is assumed to take a share of the grace period, as a container without a hook does.

interface StoppingContainer {
  readonly restartPolicy?: string
  readonly lifecycle?: { readonly preStop?: unknown }
}

interface StoppingPod<C> {
  readonly containers?: readonly C[]
  readonly initContainers?: readonly C[]
  readonly terminationGracePeriodSeconds?: number
}

/** How a container stops: `delay` as `rollcall.dev/stop-delay` has it. */
interface AssumedStop<C> {
  readonly container: C
  readonly delay: string
  /** 'third': no hook; 'after hook': its hook runs as written; 'opaque': its hook is replaced by the delay. */
  readonly reason: 'third' | 'after hook' | 'opaque'
  /** The opaque hook, as the user would recognise it. */
  readonly hook?: string
}

const defaultGraceSeconds = 30
const afterHook = '1s±500ms'

/** The first container stands for the pod; of the others, only those with an opaque hook take any time. */
export function assumedStops<C extends StoppingContainer>(pod: StoppingPod<C>): readonly AssumedStop<C>[] {
  const { containers = [], initContainers = [], terminationGracePeriodSeconds: graceSeconds = defaultGraceSeconds } = pod
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')
  const [first] = containers
  const stops: AssumedStop<C>[] = []
  for (const container of [...containers, ...sidecars]) {
    const preStop = container.lifecycle?.preStop
    const hook = preStop === undefined || preStop === null ? undefined : readHook(preStop)
    if (hook?.opaque !== undefined)
      stops.push({ container, reason: 'opaque', hook: hook.opaque, delay: shareOf(graceSeconds, hook.sleepsMs) })
    else if (container === first)
      stops.push(
        hook === undefined
          ? { container, reason: 'third', delay: shareOf(graceSeconds, 0) }
          : { container, reason: 'after hook', delay: afterHook },
      )
  }
  return stops
}

/** What is certain, and a third of the rest of the grace period, ± half of that. */
function shareOf(graceSeconds: number, certainMs: number): string {
  const graceMs = graceSeconds * 1000
  const certain = Math.min(certainMs, graceMs)
  const third = Math.round((graceMs - certain) / 3)
  const mean = certain + third
  if (mean === 0) return '0s'
  return third === 0 ? text(mean) : `${text(mean)}±${text(Math.round(third / 2))}`
}

const text = (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)

interface ReadHook {
  /** What the hook certainly waits. */
  readonly sleepsMs: number
  /** Undefined: all of the hook is understood. */
  readonly opaque?: string
}

const maxShownLength = 40

export function readHook(preStop: unknown): ReadHook {
  const { sleep, exec, httpGet, tcpSocket } = preStop as {
    sleep?: { seconds?: number }
    exec?: { command?: readonly unknown[] }
    httpGet?: { path?: string; port?: number | string }
    tcpSocket?: unknown
  }
  if (sleep) return { sleepsMs: (sleep.seconds ?? 0) * 1000 }
  if (httpGet) return { sleepsMs: 0, opaque: `GET ${shown(httpGet.path ?? '/')}` }
  if (tcpSocket) return { sleepsMs: 0, opaque: 'tcpSocket' }
  const words = Array.isArray(exec?.command) ? exec.command.map(String) : []
  if (words.length === 0) return { sleepsMs: 0 }
  const script = scriptOf(words)
  return readScript(script ?? words.join(' '), shown(script ?? words.join(' ')))
}

const shown = (script: string): string => {
  const line = script.trim().replace(/\s+/g, ' ')
  return line.length <= maxShownLength ? line : `${line.slice(0, maxShownLength - 2).trimEnd()} …`
}

/** The script of `sh -c SCRIPT`, with any flags of the shell. */
function scriptOf([program = '', ...args]: readonly string[]): string | undefined {
  if (!/(?:^|\/)(?:ba|da|a|z|k)?sh$/.test(program)) return undefined
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word))
  return at === -1 ? undefined : args[at + 1]
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Statements that take no time: they print, set, or ask a process to stop. The process then stops within its own time. */
const immediate =
  /^(?:true|:|set [-+]\w+|(?:\S*\/)?(?:echo|printf|touch|rm|sync|date|mkdir)(?: .*)?|exit(?: 0)?|(?:\S*\/)?kill(?: .*)?|(?:\S*\/)?(?:nginx|openresty) -s (?:quit|stop))$/

const control = /(?:^|[\s;&|(])(?:while|until|for|if|case|function)\s/
/** Substitutions, pipes, groups, background jobs: how long they take depends on programs. */
const combined = /[`|(){}]|(?<![&>])&(?![&>1-9])/

function readScript(script: string, name: string): ReadHook {
  if (control.test(script)) return { sleepsMs: 0, opaque: name }
  let isKnown = !combined.test(script)
  let sleepsMs = 0
  for (const part of script.split(/;|&&|\|\||\n/)) {
    const statement = part
      .replace(/\s*(?:[12]?>>?|&>)\s*(?:&[12]|\S+)/g, '')
      .replace(/\s+/g, ' ')
      .trim()
    if (statement === '' || statement.startsWith('#')) continue
    const slept = /^(?:exec )?(?:\S*\/)?sleep (?:(?<number>\d+(?:\.\d+)?)(?<unit>[smhd]?)|inf(?:inity)?)$/.exec(statement)
    if (slept !== null)
      sleepsMs +=
        slept.groups!['number'] === undefined
          ? Number.POSITIVE_INFINITY
          : Number(slept.groups!['number']) * unitMs[slept.groups!['unit'] || 's']!
    else if (!immediate.test(statement)) isKnown = false
  }
  return isKnown ? { sleepsMs } : { sleepsMs, opaque: name }
}
