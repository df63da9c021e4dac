// Valid scripts that ask for as much as a script can: depth, length, loops, texts that grow, patterns that backtrack.
import type { Random } from '../../src/base/random.ts'

export const whole = (random: Random, from: number, to: number) => from + Math.floor(random.next() * (to - from + 1))
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!
/** Small as often as large: each order of magnitude has the same chance. */
export const scale = (random: Random, most: number) => Math.floor(most ** random.next())

const text = (random: Random, most: number) => oneOf(random, ['a', 'ab', 'x y ', 'ü', '0', '-']).repeat(scale(random, most))
const wrap = (open: string, inner: string, close: string, depth: number) => open.repeat(depth) + inner + close.repeat(depth)

type Make = (random: Random) => string

const makers: readonly Make[] = [
  (r) => `echo $(${wrap('(', '1', ')', scale(r, 20_000))})`,
  (r) => `echo $((${wrap(oneOf(r, ['(', '-', '!', '~', '1+(', '1?(']), '1', oneOf(r, [')', '):0', '']), scale(r, 20_000))}))`,
  (r) => `eval "${wrap('if true; then ', ':', '; fi', scale(r, 8000))}"`,
  (r) => wrap(oneOf(r, ['$(', '{ ', '(', '! ', 'f() ', '`']), 'echo', oneOf(r, [')', '; }', '`', '']), scale(r, 20_000)),
  (r) => `echo ${wrap(oneOf(r, ['${a:-', '"${a:+', '${a%']), 'x', oneOf(r, ['}', '}"']), scale(r, 20_000))}`,
  (r) => `echo ${text(r, 60_000)}b | grep ${oneOf(r, ['-E ', '-i ', '-v ', ''])}'${pattern(r)}'`,
  (r) => `[[ ${'a'.repeat(scale(r, 60_000))}b =~ '${pattern(r)}' ]]; echo $?`,
  (r) => `case ${'a'.repeat(scale(r, 60_000))} in ${glob(r)}) echo yes;; *) echo no;; esac`,
  (r) => `a=${'a'.repeat(scale(r, 60_000))}; echo \${a${oneOf(r, ['#', '##', '%', '%%'])}${glob(r)}}`,
  (r) => `a=${'a'.repeat(scale(r, 60_000))}; echo \${a//a/${text(r, 2000)}} \${a:${scale(r, 9999)}:${scale(r, 9999)}}`,
  (r) => `while :; do ${oneOf(r, bodies)(r)}; done`,
  (r) => `${`while :; do ${oneOf(r, bodies)(r)}; done & `.repeat(whole(r, 1, 120))} wait`,
  (r) => `f() { ${oneOf(r, ['f', 'f & f &', 'echo $(f)', 'f | f', 'f "$@" "$@"', '( f )', 'eval f', 'sh -c f'])}; }; f a b`,
  (r) => `a='${oneOf(r, ['eval', 'sh -c', 'timeout 10 sh -c'])} "$a"; :'; eval "$a"`,
  (r) => `trap 'kill -TERM $$' TERM ${oneOf(r, ['', 'EXIT'])}; kill -TERM $$; sleep ${whole(r, 0, 3)}`,
  (r) =>
    `a=$(${oneOf(r, ['while :; do echo x; done', 'cat /dev/zero', 'seq 1 1000000', 'dd if=/dev/zero bs=1M count=1000', 'sleep 1h'])}); echo $a`,
  (r) =>
    `echo ${text(r, 60_000)} > f; cat ${'f '.repeat(scale(r, 20_000))} | ${oneOf(r, ['wc -c', 'sort', 'uniq', 'tail -1', "awk '{print $1}'", 'tee g'])}`,
  (r) =>
    `i=0; while :; do i=$((i + 1)); ${oneOf(r, ['eval "v$i=', 'eval "f$i() { echo ', 'mkdir -p /d$i/"', 'echo > /tmp/f$i "'])}${text(r, 5000).replace(/ /g, '')}${oneOf(r, ['"', '; }"'])}; done`,
  (r) => `[ ${'a -a '.repeat(scale(r, 9000))} a ] && [ ${'! '.repeat(scale(r, 9000))} a ]`,
  (r) => `printf '%${scale(r, 99_999)}s${'\\n'.repeat(scale(r, 5000))}' $(seq ${scale(r, 20_000)}) | wc -l`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expansion of the shell
  (r) => `cat <<EOF\n${oneOf(r, ['$(echo a)', '$((1+1))', '${a:-b}', '\\$', '`echo`']).repeat(scale(r, 9000))}\nEOF`,
  (r) => `for i in ${'a '.repeat(scale(r, 19_000))}; do for j in $(seq 10000); do echo $i$j; done; done`,
  (r) => `set -- ${'a '.repeat(scale(r, 9000))}; while [ $# -gt 0 ]; do set -- "$@" "$@"; shift; done`,
  (r) =>
    `awk '{print${' '.repeat(scale(r, 60_000))}$1${',$1'.repeat(scale(r, 9000))}}' /etc/hosts; basename ${'/'.repeat(scale(r, 60_000))}a`,
  (r) =>
    `expr ${'1'.repeat(scale(r, 10_000))} ${oneOf(r, ['+', '\\*', '/', '%', ':', '<'])} ${'2'.repeat(scale(r, 10_000))}; date +${'%s'.repeat(scale(r, 20_000))}`,
  (r) =>
    `${oneOf(r, ['sleep', 'timeout', 'exit', 'wait', 'shift', 'seq', 'head -n', 'kill'])} ${oneOf(r, ['-1', '1e308', '99999999999999999999', 'inf', 'NaN', '0x10', ''])}; echo $?`,
  (r) => `${'echo a && '.repeat(scale(r, 9000))} true ${'| cat '.repeat(scale(r, 500))}`,
]

const bodies: readonly Make[] = [
  () => ':',
  () => 'a=$a$a',
  (r) => `echo ${text(r, 5000)}`,
  (r) => `echo ${text(r, 5000)} >> f`,
  (r) => `b=${text(r, 50_000).replace(/ /g, '')}; case $b in ${glob(r)}) :;; esac`,
  () => 'seq 10000 | sort -n | uniq | tail -1',
  () => 'sleep 0',
  (r) => `echo aaaaaaaaaaaaaaaa$RANDOM | grep -E '${pattern(r)}'`,
  () => 'sleep 1000 &',
  () => 'cat f f f f f f f f > f; echo x > f',
  () => 'find / | wc -l; ls / > /tmp/$RANDOM',
]

function pattern(random: Random): string {
  return oneOf(random, [
    '(a+)+$',
    '(a|a)*b',
    '(.*)(.*)(.*)(.*)(.*)[^ab]',
    `(a{${whole(random, 1, 1000)}}){${whole(random, 1, 1000)}}`,
    `[a-z]{${whole(random, 1, 999)}}[b-y]{${whole(random, 1, 999)}}`,
    'a|'.repeat(scale(random, 20_000)),
    wrap('(', 'a', ')*', scale(random, 2000)),
    '(',
    '\\pL{900}x',
    '(?i)(x+x+)+y',
  ])
}

const glob = (random: Random) =>
  oneOf(random, ['*a', '?*', '[a-z]*', '*[!b]', '\\**']).repeat(scale(random, 5000)) + oneOf(random, ['b', '*b', '*', ''])

/** Sometimes several, one after the other. */
export function extremeScript(random: Random): string {
  const count = whole(random, 1, 3)
  return Array.from({ length: count }, () => oneOf(random, makers)(random)).join('\n')
}
