// The programs of a container besides its shell.
import { parseDuration } from '../kubelet/duration.ts'
import { copy, dd, find, forEachPath, hexdump, ls } from './file-programs.ts'
import { mountTest, mountTestTurn } from './mount-test.ts'
import { done, failed, type Program, type ProgramContext, type ProgramResult } from './program-context.ts'
import { evaluateTest } from './test-expression.ts'
import { awk, cat, countOption, date, echo, expr, filter, grep, printf, seq, wc } from './text-programs.ts'

function sleep(words: readonly string[], { printError }: ProgramContext): ProgramResult {
  let tookMs = 0
  for (const word of words) {
    const ms = word === 'infinity' || word === 'inf' ? Number.POSITIVE_INFINITY : parseDuration(word)
    if (ms === undefined) {
      printError(`sleep: invalid number '${word}'\n`)
      return failed
    }
    tookMs += ms
  }
  return { code: 0, tookMs }
}

const yes: Program = () => done

/** There is no network: network programs report success. */
const networkPrograms = ['nslookup', 'wget', 'curl', 'ping', 'nc', 'getent', 'dig', 'host', 'traceroute']

export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['true', yes],
  [':', yes],
  ['false', () => failed],
  ['sleep', sleep],
  ['echo', echo],
  ['printf', printf],
  ['date', date],
  ['expr', expr],
  ['cat', cat],
  ['grep', grep],
  ['wc', wc],
  ['awk', awk],
  ['dd', dd],
  ['find', find],
  ['hexdump', hexdump],
  ['ls', ls],
  ['mounttest', mountTest],
  ['mounttest-turn', mountTestTurn],
  ['seq', seq],
  [
    'tail',
    (words, context) =>
      words.includes('-f') || words.includes('-F')
        ? { code: 0, tookMs: Number.POSITIVE_INFINITY }
        : filter('tail', (lines, options) => lines.slice(-countOption(options, 10)))(words, context),
  ],
  ['head', filter('head', (lines, options) => lines.slice(0, countOption(options, 10)))],
  [
    'sort',
    filter('sort', (lines, options) =>
      lines.sort((a, b) => (options.some((o) => o.includes('n')) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0)),
    ),
  ],
  ['uniq', filter('uniq', (lines) => lines.filter((line, index) => index === 0 || line !== lines[index - 1]))],
  ['touch', forEachPath((path, context) => context.isFile(path) || context.write(path, ''))],
  ['mkdir', forEachPath((path, context) => context.isDirectory(path) || context.write(`${path}/.keep`, ''))],
  [
    'rm',
    (words, context) => {
      const isForced = words.some((word) => /^-\w*f/.test(word))
      let code = 0
      for (const path of words.filter((word) => !word.startsWith('-')))
        if (!context.remove(path) && !isForced) {
          context.printError(`rm: can't remove '${path}': No such file or directory\n`)
          code = 1
        }
      return { code }
    },
  ],
  ['cp', (words, context) => copy('cp', words, context)],
  ['mv', (words, context) => copy('mv', words, context)],
  [
    'tee',
    (words, context) => {
      context.print(context.stdin)
      for (const path of words.filter((word) => !word.startsWith('-')))
        context.write(path, (words.includes('-a') ? (context.read(path) ?? '') : '') + context.stdin)
      return done
    },
  ],
  [
    'hostname',
    (_, { hostname, print }) => {
      print(`${hostname}\n`)
      return done
    },
  ],
  [
    'pwd',
    (_, { directory, print }) => {
      print(`${directory}\n`)
      return done
    },
  ],
  [
    'env',
    (_, { environment, print }) => {
      print([...environment].map(([name, value]) => `${name}=${value}\n`).join(''))
      return done
    },
  ],
  [
    'printenv',
    ([name], { environment, print }) => {
      if (name === undefined) print([...environment].map(([one, value]) => `${one}=${value}\n`).join(''))
      else if (environment.has(name)) print(`${environment.get(name)}\n`)
      else return failed
      return done
    },
  ],
  [
    'whoami',
    (_, { user, print }) => {
      print(user.id === 0 ? 'root\n' : `whoami: unknown uid ${user.id}\n`)
      return user.id === 0 ? done : failed
    },
  ],
  [
    'id',
    ([option], { user, print }) => {
      const named = (id: number) => (id === 0 ? '0(root)' : String(id))
      const all = `uid=${named(user.id)} gid=${named(user.group)} groups=${named(user.group)}`
      print(`${option === '-u' ? user.id : option === '-g' ? user.group : all}\n`)
      return done
    },
  ],
  [
    'uname',
    (_, { print }) => {
      print('Linux\n')
      return done
    },
  ],
  [
    'basename',
    ([path = ''], { print }) => {
      print(`${path.split('/').findLast((part) => part !== '') ?? '/'}\n`)
      return done
    },
  ],
  [
    'dirname',
    ([path = ''], { print }) => {
      print(`${path.includes('/') ? path.replace(/\/[^/]*$/, '') || '/' : '.'}\n`)
      return done
    },
  ],
  ['test', (words, context) => ({ code: evaluateTest(words, context, false, context.work) })],
  [
    '[',
    (words, context) => {
      if (words.at(-1) !== ']') {
        context.printError('sh: missing ]\n')
        return { code: 2 }
      }
      return { code: evaluateTest(words.slice(0, -1), context, false, context.work) }
    },
  ],
  ['[[', (words, context) => ({ code: evaluateTest(words.at(-1) === ']]' ? words.slice(0, -1) : words, context, true, context.work) })],
  ['chmod', yes],
  ['chown', yes],
  ['sync', yes],
  ['umask', yes],
  ['ulimit', yes],
  ['pause', () => ({ code: 0, tookMs: Number.POSITIVE_INFINITY })],
  ...networkPrograms.map((name) => [name, yes] as const),
])
