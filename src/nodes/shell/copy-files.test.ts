import { describe, expect, it } from 'vitest'
import { empty, run } from './testing/run-command.ts'

const tree = 'mkdir -p d/e d/s; echo 1 > d/a; echo 2 > d/s/b; '

describe('cp, mv and ls of directories', () => {
  it.each<[name: string, script: string, text: string, code?: number]>([
    ['cp -r to a new name', `${tree}cp -r d n; ls -R n; cat n/s/b d/s/b`, 'n:\na\ne\ns\n\nn/e:\n\nn/s:\nb\n2\n2\n'],
    ['cp -r into a directory', `${tree}mkdir x; cp -r d/ x; find x -type f`, 'x/d/a\nx/d/s/b\n'],
    ['cp -a of the contents', `${tree}mkdir x; cp -a d/. x; find x -type f`, 'x/a\nx/s/b\n'],
    ['cp -R of an empty directory', 'mkdir d; cp -R d n; [ -d n ] && ls -A n', ''],
    ['cp -rv', `${tree}cp -rv d n`, "'d' -> 'n'\n'd/a' -> 'n/a'\n'd/s/b' -> 'n/s/b'\n"],
    ['cp of several files', 'echo 1 > a; echo 2 > b; mkdir x; cp a b x; cat x/a x/b', '1\n2\n'],
    ['cp of several files to none', 'touch a b; cp a b x', "cp: target 'x' is not a directory\n", 1],
    ['cp of a directory without -r', `${tree}cp d n`, "cp: omitting directory 'd'\n", 1],
    ['cp of the rest after a failure', 'touch b; mkdir x; cp a b x || ls x', "cp: can't stat 'a': No such file or directory\nb\n"],
    ['cp -r into itself', `${tree}cp -r d d/s`, "cp: recursion detected, omitting directory 'd'\n", 1],
    ['cp -r to a file', `${tree}touch f; cp -r d f`, "cp: target 'f' is not a directory\n", 1],
    ['cp to itself', 'touch a; cp a ./a', "cp: 'a' and './a' are the same file\n", 1],
    ['mv to a new name', `${tree}mv d n; find n -type f; [ -e d ] || echo gone`, 'n/a\nn/s/b\ngone\n'],
    ['mv into a directory', `${tree}mkdir x; mv -v d x; cat x/d/s/b; [ -e d ] || echo gone`, "'d' -> 'x/d'\n2\ngone\n"],
    ['mv of an empty directory', 'mkdir d; mv d n; [ -d n ] && [ ! -e d ] && echo moved', 'moved\n'],
    ['mv into itself', `${tree}mv d d/s`, "mv: can't rename 'd': Invalid argument\n", 1],
    ['mv to a directory with files', `${tree}mkdir -p x/d; touch x/d/f; mv d x`, "mv: can't rename 'd': Directory not empty\n", 1],
    ['mv to a directory with a directory', `${tree}mkdir -p x/d/e; mv d x`, "mv: can't rename 'd': Directory not empty\n", 1],
    ['mv to an empty directory', `${tree}mkdir -p x/d; mv d x; cat x/d/a`, '1\n'],
    ['mv to a file', `${tree}touch f; mv d f`, "mv: can't rename 'd': Not a directory\n", 1],
    ['mv to itself', 'echo 1 > a; mv a a; cat a', '1\n'],
    ['ls -R here', `mkdir /w; cd /w; ${tree}ls -R`, '.:\nd\n\n./d:\na\ne\ns\n\n./d/e:\n\n./d/s:\nb\n'],
    ['ls of several', `${tree}touch f; ls d f d/s`, 'f\n\nd:\na\ne\ns\n\nd/s:\nb\n'],
    ['ls without hidden files', 'mkdir d; touch d/.h d/a; ls d; ls -A d', 'a\n.h\na\n'],
  ])('%s', (_, script, text, code = 0) => {
    expect(run(script)).toMatchObject({ code, text })
  })

  it('moves a directory where no further file fits', () => {
    const pod = new Map(Array.from({ length: 1000 }, (_, index) => [index < 20 ? `own:c:/d/${index}` : `own:c:/f/${index}`, 'x']))
    const { code, files } = run('mv d n', { ...empty, pod })
    expect([code, files.pod.size, files.pod.get('own:c:/n/19')]).toEqual([0, 1000, 'x'])
  })

  it('copies files of a volume that cannot be written, and does not move them', () => {
    const more = { mounts: [{ path: '/config', prefix: 'provided:config:' }] }
    const file = { text: 'on\n', mode: 0o400, user: 0, group: 0 }
    const keys = ['provided:config:/a']
    const provided = { read: (key: string) => (keys.includes(key) ? file : undefined), keysBeside: () => keys }
    expect(run('cp -r /config n; cat n/a', { ...empty, provided }, more)).toMatchObject({ code: 0, text: 'on\n' })
    expect(run('mv /config/a b; cat b /config/a', { ...empty, provided }, more)).toMatchObject({
      code: 0,
      text: "mv: can't remove '/config/a': Read-only file system\non\non\n",
    })
  })

  it('takes a directory of the image for an empty one', () => {
    const { code, files } = run('cp -r /app/. /srv/', empty, { onUnknown: 'serve' })
    expect([code, [...files.pod.keys()]]).toEqual([0, ['own:c:/srv/.keep']])
  })
})
