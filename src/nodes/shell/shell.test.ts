import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Files, noFiles } from './files.ts'
import { runMachine, type ScriptSetup, signalMachine, startMachine } from './machine.ts'

const startMs = Date.UTC(2026, 10, 1, 12)
const setup: ScriptSetup = {
  nowMs: startMs,
  environment: new Map([
    ['JOB_COMPLETION_INDEX', '3'],
    ['POD_NAME', 'web-0'],
    ['EMPTY', ''],
  ]),
  mounts: [
    { path: '/data', prefix: 'volume:data:' },
    { path: '/host', prefix: 'host:/var/x' },
  ],
  own: 'own:c:',
  directory: '/',
  hostname: 'web-0',
  seed: 5,
  onUnknown: 'fail',
}

const empty: Files = { pod: noFiles, host: noFiles }
const dayMs = 86_400_000

/** `code@seconds`, and the output. `…` as the code: it still runs after a day. */
function runScript(command: string | readonly string[], files = empty, more: Partial<ScriptSetup> = {}) {
  const machine = startMachine(typeof command === 'string' ? ['sh', '-c', command] : command, { ...setup, ...more })
  if (machine === undefined) return { end: 'unknown', text: '', files }
  const ran = runMachine(machine, files, startMs + dayMs)
  const { exit } = ran.machine
  const end = exit === undefined ? '…' : `${exit.code}@${(exit.atMs - startMs) / 1000}`
  return { end, text: ran.output.map(({ text }) => text).join(''), files: ran.files }
}

describe('process 1 of a container', () => {
  it.each<[name: string, script: string, end: string, text: string]>([
    ['a signal that nothing traps', 'kill -TERM $$; kill -9 1; echo on; exit 3', '3@0', 'on\n'],
    ['a signal that is trapped', 'trap "exit 7" TERM; kill $$; echo no', '7@0', ''],
    ['a signal to another process', 'sleep 60 & kill $!; wait $!; echo $?', '0@0', '143\n'],
  ])('receives %s as the kernel delivers it', (_, script, end, text) => {
    expect(runScript(script, empty, { isFirst: true })).toMatchObject({ end, text })
  })
})

describe('startMachine()', () => {
  it.each<[name: string, command: string | string[], end: string, text?: string]>([
    ['true', ['true'], '0@0'],
    ['a missing file', 'cat < /none || echo no; echo on', '0@0', "sh: can't open /none: no such file\nno\non\n"],
    ['wc of a file', 'echo a > f; echo b >> f; wc -l f; wc -l < f', '0@0', '2 f\n2\n'],
    ['awk of a column', "echo a > f; count=$(echo x >> f; wc -l f | awk {'print $1'}); [ $count -eq 2 ] && echo two", '0@0', 'two\n'],
    ['awk of several', `echo 'k:v w' | awk -F: '{print $2 "-" $1, $NF; }'; echo ' a b' | awk '{print $2}'`, '0@0', 'v w-k v w\nb\n'],
    ['unsupported awk', "awk 'BEGIN { x }'", '2@0', 'awk: only {print …} of columns is supported\n'],
    ['dd of nothing but zeros', 'dd if=/dev/zero of=/data/f bs=2 count=3; cat /data/f | wc -c', '0@0', '6\n'],
    ['dd of a part', 'echo abcdef > f; dd if=f bs=1 count=3', '0@0', 'abc'],
    [
      'find',
      'touch /data/a; mkdir /data/d; touch /data/d/b; find /data; find /none',
      '1@0',
      '/data\n/data/a\n/data/d\n/data/d/b\nfind: /none: No such file or directory\n',
    ],
    ['mv into a directory', 'echo x > a; mv -v a /tmp/ && cat /tmp/a', '0@0', "'a' -> '/tmp/a'\nx\n"],
    ['mv of nothing', 'mv a /tmp/ || true', '0@0', "mv: can't rename 'a': No such file or directory\n"],
    ['false', ['/bin/false'], '1@0'],
    ['sleep with a unit', ['sleep', '2m'], '0@120'],
    ['sleep with a fraction', ['sleep', '0.5'], '0@0.5'],
    ['sleep for ever', ['sleep', 'infinity'], '…'],
    ['sleep that is no number', ['sleep', 'x'], '1@0', "sleep: invalid number 'x'\n"],
    ['echo', ['echo', 'a', '  b'], '0@0', 'a   b\n'],
    ['a shell without a script', ['sh'], '0@0'],
    ['a program behind an init', ['tini', '--', 'sleep', '3'], '0@3'],
    ['an unknown program', ['./server'], 'unknown'],
    ['exit with a code', 'exit 3', '3@0'],
    ['exit with the last code', 'false; exit', '1@0'],
    ['a code above 255', 'exit 256', '0@0'],
    ['one after the other', 'echo a; sleep 1; echo b', '0@1', 'a\nb\n'],
    ['lines', 'echo a\n\n  echo b # no\n# none\n', '0@0', 'a\nb\n'],
    ['and, or', 'true && echo a || echo b; false && echo c || echo d', '0@0', 'a\nd\n'],
    ['not', '! false && echo a', '0@0', 'a\n'],
    ['the last code', 'false; echo $?', '0@0', '1\n'],
    ['the last code in an assignment', 'false; code=$?; echo $? $code', '0@0', '0 1\n'],
    ['the code of a substitution', 'a=$(exit 3); echo $?; $(exit 4); echo $?; b=1; echo $?', '0@0', '3\n4\n0\n'],
    ['a missing command', 'nope; echo $?', '0@0', 'sh: nope: not found\n127\n'],
    ['nothing but that', 'nope', '127@0', 'sh: nope: not found\n'],
    ['if', 'if true; then echo a; else echo b; fi', '0@0', 'a\n'],
    ['if not', 'if false; then echo a; elif test 1 -gt 2; then echo b; else echo c; fi', '0@0', 'c\n'],
    ['if without else', 'if false; then exit 3; fi', '0@0'],
    ['while', 'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); sleep 1; done', '0@3', '0\n1\n2\n'],
    ['until', 'i=3; until [ $i = 0 ]; do i=$((i - 1)); done; echo $i', '0@0', '0\n'],
    ['break and continue', 'for i in 1 2 3 4; do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done', '0@0', '1\n3\n'],
    ['for over a command', 'for i in $(seq 3); do echo n$i; done', '0@0', 'n1\nn2\nn3\n'],
    ['case', 'case web-0 in db-*) echo a;; web-*|x) echo b;; *) echo c;; esac', '0@0', 'b\n'],
    ['a function', 'f() { echo $1 $#; return 4; }; f x y; echo $?', '0@0', 'x 2\n4\n'],
    ['quotes', `a='1  2'; echo "$a" $a '$a' "\\$a" a"b"'c'`, '0@0', '1  2 1 2 $a $a abc\n'],
    ['an empty word', `echo "" x \${EMPTY} y`, '0@0', ' x y\n'],
    ['defaults', `echo \${A:-x} \${EMPTY:-y} \${EMPTY-z} \${B:=w} $B \${POD_NAME:+set}`, '0@0', 'x y w w set\n'],
    ['cutting', `echo \${POD_NAME##*-} \${POD_NAME%-*} \${#POD_NAME} \${POD_NAME/web/db}`, '0@0', '0 web 5 db-0\n'],
    ['sums', 'echo $((2 + 3 * 4)) $(( (2+3)*4 % 7 )) $((JOB_COMPLETION_INDEX - 1)) $((5 > 3 ? 10 : 20))', '0@0', '14 6 2 10\n'],
    ['the output of commands', 'echo "[$(echo a; echo b)]" `echo c`', '0@0', '[a\nb] c\n'],
    ['a slow command substitution', 'x=$(sleep 2; echo hi); echo $x', '0@2', 'hi\n'],
    ['a pipe', "printf 'b\\na\\n' | sort | head -n 1", '0@0', 'a\n'],
    ['reading lines', "printf 'a 1\\nb 2\\n' | while read x y; do echo $y$x; done", '0@0', '1a\n2b\n'],
    ['a here document', 'cat <<EOF\nhi $POD_NAME\nEOF\necho done', '0@0', 'hi web-0\ndone\n'],
    ['output to nowhere', 'echo a >/dev/null; echo b 2>&1; nope 2>/dev/null', '127@0', 'b\n'],
    ['a file', 'echo a > /tmp/x; echo b >> /tmp/x; cat /tmp/x; [ -f /tmp/x ] && [ ! -e /tmp/y ]', '0@0', 'a\nb\n'],
    ['a missing file', 'cat /nope', '1@0', "cat: can't open '/nope': No such file or directory\n"],
    ['tests of texts', '[ "$POD_NAME" = web-0 ] && [ -z "$EMPTY" ] && [ a != b ] && echo y', '0@0', 'y\n'],
    ['double brackets', '[[ "$POD_NAME" == web-* && -n x || -r /nope ]] && echo y', '0@0', 'y\n'],
    ['expr', `if [ $(expr \${JOB_COMPLETION_INDEX} % 2) -ne 0 ]; then exit 1; else exit 0; fi`, '1@0'],
    ['chance', 'exit $(( $RANDOM / 32768 ))', '0@0'],
    ['set -e', 'set -e; false; echo no', '1@0'],
    ['set -e that is asked for', 'set -e; if false; then :; fi; false || true; echo yes', '0@0', 'yes\n'],
    ['-ec', ['/bin/sh', '-ec', 'touch /var/tmp/ready; [[ "$( cat /var/tmp/ready )" == "" ]]'], '0@0'],
    ['arguments of a script', ['sh', '-c', 'echo $0 $1 $@', 'me', 'a', 'b'], '0@0', 'me a a b\n'],
    ['a subshell', 'a=1; (a=2; exit 3); echo $? $a', '0@0', '3 1\n'],
    ['a group with output', '{ echo a; echo b; } > /tmp/o; cat /tmp/o', '0@0', 'a\nb\n'],
    ['background work', '(sleep 2; echo late) & sleep 1; echo soon; wait; echo end', '0@2', 'soon\nlate\nend\n'],
    ['a background job without wait', 'sleep 100 & echo x', '0@0', 'x\n'],
    ['the code of background work', '(sleep 1; exit 4) & wait $!; echo $?', '0@1', '4\n'],
    ['a timeout', 'timeout 5 sleep 10; echo $?', '0@5', '124\n'],
    ['exec', 'exec sleep 4; echo no', '0@4'],
    ['eval', 'x="echo hi"; eval $x', '0@0', 'hi\n'],
    ['a shell in a shell', `sh -c 'exit 7'; echo $?`, '0@0', '7\n'],
    ['the end is trapped', "trap 'echo bye' EXIT; exit 2", '2@0', 'bye\n'],
    ['a signal to itself', 'trap "echo term; exit 7" TERM; kill -TERM $$; sleep 5; echo no', '7@0', 'term\n'],
    ['a signal to itself that is ignored', "trap '' TERM; kill $$; echo on", '0@0', 'on\n'],
    ['a signal to itself that nothing stops', 'trap "echo no" TERM; kill -9 $$; echo no', '137@0', ''],
    ['a signal to itself by name', 'trap "exit 4" TERM; kill -s TERM $$; echo no', '4@0', ''],
    ['a signal to itself that ends it', 'kill -INT $$; echo no', '130@0', ''],
    ['a signal from what runs beside it', 'trap "echo term; exit 7" TERM; (sleep 1; kill -TERM $$) & wait; echo no', '7@1', 'term\n'],
    ['a signal during another command', 'trap "echo one" USR1; (sleep 1; kill -USR1 $$) & sleep 3; echo end', '0@3', 'one\nend\n'],
    ['date', 'date +%Y-%m-%dT%H:%M:%S; sleep 3661; date', '0@3661', '2026-11-01T12:00:00\nSun Nov  1 13:01:01 UTC 2026\n'],
    ['a script that cannot be read', 'if true; then', '2@0', 'sh: syntax error: unexpected end of file\n'],
    ['division by zero', 'echo $((1/0)); echo no', '2@0', 'sh: divide by zero\n'],
    ['a busy loop', 'while true; do :; done', '…'],
    ['a call without end', 'f() { f; }; f', '2@0', 'sh: f: too many nested calls\n'],
    ['a command in itself without end', 'f() { echo $(f); }; f', '0@0'],
    ['a wait for the network', 'until nslookup db; do sleep 2; done; echo up', '0@0', 'up\n'],
  ])('runs %s', (_, command, end, text) => {
    const ran = runScript(command)
    expect(ran.end).toBe(end)
    if (text !== undefined) expect(ran.text).toBe(text)
  })

  it('keeps files for the next run, in the pod and on the node', () => {
    const script = 'if [[ -r /data/foo ]]\nthen\n exit 0\nelse\n touch /data/foo; echo 1 > /host/n\n exit 1\nfi'
    const first = runScript(script)
    expect(first.end).toBe('1@0')
    expect([...first.files.pod.keys()]).toEqual(['volume:data:/foo'])
    expect([...first.files.host]).toEqual([['host:/var/x/n', '1\n']])
    expect(runScript(script, first.files).end).toBe('0@0')
  })

  it('runs an unknown program as configured', () => {
    expect(runScript('python app.py; echo $?', empty, { onUnknown: 2000 })).toMatchObject({ end: '0@2', text: '0\n' })
    expect(runScript('python app.py', empty, { onUnknown: 'serve' }).end).toBe('…')
  })

  it('timestamps output with its own clock', () => {
    const machine = startMachine(['sh', '-c', 'while true; do echo x; sleep 1; done'], setup)!
    const { output, machine: later } = runMachine(machine, empty, startMs + 2500)
    expect(output.map(({ atMs }) => atMs - startMs)).toEqual([0, 1000, 2000])
    expect(later.nextMs).toBe(startMs + 3000)
  })

  it.each<[name: string, script: string, end: string, text: string]>([
    ['after the command that runs', 'trap "echo term; exit 3" TERM; while true; do sleep 1; done', '3@6', 'term\n'],
    ['by a slow function', '_term(){\n sleep 5\n exit 143\n}\ntrap _term SIGTERM\nwhile true; do\n sleep 1\ndone', '143@11', ''],
    ['at once while it waits', 'trap "exit 0" TERM; sleep 1000 & wait', '0@5.5', ''],
    ['and goes on', 'trap "echo no" 15; sleep 10; echo end', '0@10', 'no\nend\n'],
    ['by doing nothing', "trap '' TERM; sleep 20; exit 5", '5@20', ''],
  ])('receives SIGTERM %s', (_, script, end, text) => {
    const started = runMachine(startMachine(['sh', '-c', script], setup)!, empty, startMs + 5500)
    const { machine, output } = runMachine(signalMachine(started.machine, 'TERM', startMs + 5500)!, empty, startMs + dayMs)
    expect(`${machine.exit?.code}@${(machine.exit!.atMs - startMs) / 1000}`).toBe(end)
    expect(output.map((one) => one.text).join('')).toBe(text)
  })

  it('does not handle an untrapped SIGTERM', () => {
    expect(signalMachine(startMachine(['sleep', '5'], setup)!, 'TERM', startMs)).toBeUndefined()
  })

  it('gives the same result in one call and in many', () => {
    const script = 'i=0; while [ $i -lt 50 ]; do echo $i $RANDOM; i=$((i+1)); sleep 0.$i; done & sleep 3; echo x > /tmp/y; wait; exit $i'
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 20 }), (steps) => {
        let { machine, files, text } = { machine: startMachine(['sh', '-c', script], setup)!, files: empty, text: '' }
        let atMs = startMs
        for (const step of [...steps, dayMs]) {
          atMs += step
          const ran = runMachine(machine, files, atMs)
          machine = ran.machine
          files = ran.files
          text += ran.output.map((one) => `${one.atMs} ${one.text}`).join('')
        }
        const whole = runMachine(startMachine(['sh', '-c', script], setup)!, empty, startMs + dayMs)
        expect(machine.exit).toEqual(whole.machine.exit)
        expect(files).toEqual(whole.files)
        expect(text).toBe(whole.output.map((one) => `${one.atMs} ${one.text}`).join(''))
      }),
      { numRuns: 20 },
    )
  })

  it('never throws, whatever the script', () => {
    const piece = fc.constantFrom(
      'echo',
      ' ',
      ';',
      '&&',
      '|',
      '$',
      '(',
      ')',
      '{',
      '}',
      '"',
      "'",
      '`',
      '\\',
      '\n',
      'if',
      'then',
      'fi',
      '>',
      '<',
      '<<',
      '$((',
      '))',
      '${',
      'x',
      '[[',
      ']]',
      '#',
      'while',
      'do',
      'done',
      '&',
      '1',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        runScript(pieces.join(''))
      }),
      { numRuns: 300 },
    )
  })
})
