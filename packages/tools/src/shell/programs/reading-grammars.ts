import type { GrammarRule } from '../grammar/by-grammar.ts'

type Grammars = Readonly<Record<string, GrammarRule>>

/**
 * Programs that read lines of files. Left out of each: options that write (`sort -o`), run a program (`sort --compress-program`), take
 * file names from a file (`wc --files0-from`), compare a file with a claim about it (`cksum -c`), or follow a growing file.
 */
export const lineTools: Grammars = {
  cat: {
    options:
      '-n -b -s -A -e -E -t -T -v -u --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs --show-nonprinting',
    operands: 'file...',
  },
  'head tail': {
    options: '-n=number -c=number -q -v -z --lines=number --bytes=number --quiet --silent --verbose --zero-terminated',
    operands: 'file...',
    digits: '-n',
  },
  nl: {
    options: '-b=text -n=word -w=number -s=text -v=number -i=number -p -h=text -f=text -d=text -l=number',
    operands: 'file...',
  },
  tac: { options: '-b -r -s=text', operands: 'file...' },
  rev: { options: '', operands: 'file...' },
  fold: {
    options: '-w=number -s -b --width=number --spaces --bytes',
    operands: 'file...',
    digits: '-w',
  },
  fmt: { options: '-w=number -s -u -c -t --width=number', operands: 'file...', digits: '-w' },
  expand: { options: '-i -t=word --tabs=word --initial', operands: 'file...' },
  unexpand: { options: '-a -t=word --tabs=word --all --first-only', operands: 'file...' },
  cut: {
    options:
      '-d=text -f=word -c=word -b=word -s -z -n --delimiter=text --fields=word --characters=word --bytes=word --complement --only-delimited --output-delimiter=text',
    operands: 'file...',
  },
  paste: { options: '-d=text -s -z --delimiters=text --serial', operands: 'file...' },
  column: { options: '-t -s=text -c=number', operands: 'file...' },
  join: {
    options: '-1=number -2=number -j=number -t=text -a=number -v=number -e=text -o=word -i --header --check-order',
    operands: 'file file',
  },
  comm: {
    options: '-1 -2 -3 -z --total --check-order --nocheck-order --output-delimiter=text',
    operands: 'file file',
  },
  cmp: {
    options: '-l -s -b -n=number -i=word --silent --quiet --verbose --print-bytes --bytes=number',
    operands: 'file file number number',
  },
  od: {
    options:
      '-A=word -t=word -c -x -b -d -o -s -a -v -N=number -j=number -w=?number --address-radix=word --format=word --read-bytes=number --skip-bytes=number --width=?number',
    operands: 'file...',
  },
  hexdump: { options: '-C -c -d -o -x -b -v -n=number -s=number -e=text', operands: 'file...' },
  wc: {
    options: '-c -l -m -w -L --bytes --lines --chars --words --max-line-length --total=word',
    operands: 'file...',
  },
  sort: {
    options:
      '-b -d -f -g -i -h -M -n -R -r -V -c -C -k=word -s -t=text -u -z -m -S=word --field-separator=text --key=word --unique --reverse --numeric-sort --human-numeric-sort --version-sort --general-numeric-sort --month-sort --random-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --dictionary-order --stable --check=?word --merge --zero-terminated --parallel=number --debug --buffer-size=word --sort=word',
    operands: 'file...',
  },
  uniq: {
    // Its second operand would be written.
    options:
      '-c -d -D -u -i -z -f=number -s=number -w=number --count --repeated --unique --all-repeated=?word --group=?word --ignore-case --skip-fields=number --skip-chars=number --check-chars=number --zero-terminated',
    operands: 'file',
  },
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum': {
    options: '-b -t -z -l=number --binary --text --tag --zero --length=number',
    operands: 'file...',
  },
  'cksum sum': { options: '-a=word -r -s --algorithm=word --untagged --tag --base64 --sysv', operands: 'file...' },
  sed: {
    options:
      '-n -E -r -s -z -u -e=sed --quiet --silent --regexp-extended --separate --null-data --expression=sed --posix --debug',
    operands: 'sed file...',
    replacesFirst: ['-e', '--expression'],
  },
}

/** Programs that tell what files, users and the machine are like. None of their options may follow links or change anything. */
export const listTools: Grammars = {
  ls: {
    options:
      '-a -A -b -B -c -C -d -f -F -g -G -h -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -1 -w=number -I=word -T=number --all --almost-all --author --block-size=word --color=?word --directory --file-type --classify=?word --full-time --group-directories-first --human-readable --si --ignore=word --hide=word --inode --indicator-style=word --time=word --time-style=text --sort=word --reverse --recursive --size --numeric-uid-gid --no-group --quote-name --quoting-style=word --width=number --format=word --escape --literal --zero --kibibytes --ignore-backups --context',
    operands: 'path...',
  },
  du: {
    options:
      '-a -b -c -h -k -m -s -S -x -l -0 -d=number -t=number -B=word --all --apparent-size --bytes --total --human-readable --si --max-depth=number --summarize --separate-dirs --one-file-system --time=?word --exclude=word --threshold=number --block-size=word --count-links --null --inodes',
    operands: 'path...',
  },
  df: {
    options:
      '-h -k -m -H -T -i -P -a -l -B=word -x=word -t=word --human-readable --si --total --inodes --local --all --portability --print-type --block-size=word --type=word --exclude-type=word',
    operands: 'path...',
  },
  stat: {
    options: '-c=text -f -t -x --format=text --printf=text --file-system --terse',
    operands: 'path...',
  },
  file: {
    options:
      '-b -i -I -N -r -h -k -F=text --brief --mime --mime-type --mime-encoding --extension --no-pad --no-dereference --keep-going --raw --separator=text',
    operands: 'path...',
  },
  'realpath readlink': {
    options:
      '-f -e -m -n -q -s -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --strip --no-symlinks --zero --relative-to=path --relative-base=path',
    operands: 'path...',
  },
  basename: { options: '-a -s=text -z --multiple --suffix=text --zero', operands: 'text...' },
  dirname: { options: '-z --zero', operands: 'text...' },
  pwd: { options: '-L -P', operands: '' },
  date: {
    options:
      '-u -R -I=?word -d=date -r=path --utc --universal --rfc-email --iso-8601=?word --rfc-3339=word --date=date --reference=path',
    operands: 'format',
  },
  which: { options: '-a', operands: 'word...' },
  printenv: { options: '-0 --null', operands: 'word...' },
  hostname: { options: '', operands: '' },
  id: { options: '-u -g -G -n -r -z --user --group --groups --name --real --zero', operands: 'word...' },
  groups: { options: '', operands: 'word...' },
  'whoami arch logname': { options: '', operands: '' },
  uname: {
    options:
      '-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system',
    operands: '',
  },
  uptime: { options: '-p -s --pretty --since', operands: '' },
  nproc: { options: '--all --ignore=number', operands: '' },
}

export const GREP: GrammarRule = {
  options:
    '-E -F -G -P -i -y -v -w -x -c -l -L -q -s -o -n -H -h -b -a -I -z -Z -U -T -r -A=number -B=number -C=number -m=number -e=text -f=file --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --quiet --silent --no-messages --only-matching --line-number --with-filename --no-filename --byte-offset --text --null --null-data --binary-files=word --max-count=number --after-context=number --before-context=number --context=number --color=?word --colour=?word --include=text --exclude=text --exclude-dir=text --regexp=text --file=file --label=text --line-buffered --initial-tab --recursive',
  operands: 'text path...',
  replacesFirst: ['-e', '-f', '--regexp', '--file'],
  digits: '-C',
}

export const RIPGREP: GrammarRule = {
  options:
    '-i -S -s -v -w -x -c -l -q -o -n -N -H -I -F -P -U -a -0 -p -u -. -A=number -B=number -C=number -m=number -M=number -j=number -d=number -e=text -f=file -g=text -t=word -T=word -r=text --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --files --files-with-matches --files-without-match --count --count-matches --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --line-regexp --invert-match --line-number --no-line-number --with-filename --no-filename --only-matching --glob=text --iglob=text --type=word --type-not=word --type-list --max-count=number --max-depth=number --max-filesize=word --max-columns=number --context=number --after-context=number --before-context=number --color=word --heading --no-heading --json --stats --sort=word --sortr=word --trim --multiline --pcre2 --column --vimgrep --passthru --null --text --replace=text --regexp=text --file=file --quiet --pretty --no-messages --crlf --unrestricted',
  operands: 'text path...',
  replacesFirst: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
  added: ['--no-config', '--no-follow'],
}

export const DIFF: GrammarRule = {
  options:
    '-u -c -q -s -y -w -b -B -i -E -Z -a -t -T -e -n -p -d -U=number -C=number -W=number -I=text -L=text --unified=?number --context=?number --brief --report-identical-files --side-by-side --width=number --suppress-common-lines --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --ignore-tab-expansion --ignore-matching-lines=text --color=?word --normal --minimal --speed-large-files --strip-trailing-cr --text --label=text --left-column --expand-tabs --show-c-function --ed --rcs',
  operands: 'file file',
}

/** Development tools of which only the version may be printed. */
export const versionPrograms =
  'node python python3 pip pip3 ruby perl php lua go cargo rustc rustup java javac gcc g++ clang make cmake'

export const JQ: GrammarRule = {
  options:
    '-r -c -e -s -n -S -a -j -C -M -R --raw-output --compact-output --exit-status --slurp --null-input --sort-keys --ascii-output --join-output --color-output --monochrome-output --raw-input --tab --stream --seq',
  operands: 'jq file...',
  dashes: false,
}
