/** Programs that a coding agent may not run, each group with the reason. */
const BY_REASON: readonly (readonly [string, string])[] = [
  [
    'sudo su doas pkexec runuser setpriv chroot nsenter unshare capsh newgrp sg sudoedit visudo gosu su-exec machinectl',
    'it changes the user that a command runs as. Work with the permissions that you have.',
  ],
  [
    'shutdown reboot halt poweroff init telinit systemctl service loginctl rc-service launchctl kexec',
    'it controls the machine.',
  ],
  [
    'mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs mkswap swapon swapoff losetup cryptsetup mount umount blkdiscard ' +
      'hdparm badblocks debugfs lvm pvcreate vgremove zpool zfs mdadm diskutil',
    'it works on disks.',
  ],
  ['insmod modprobe rmmod depmod sysctl dmesg setenforce bpftool', 'it works on the kernel.'],
  [
    'useradd userdel usermod groupadd groupmod passwd chpasswd chage vipw adduser deluser chsh',
    'it changes the users of the machine.',
  ],
  [
    'iptables ip6tables nft ufw firewall-cmd ip ifconfig route tcpdump tshark nmap',
    'it works on the network of the machine.',
  ],
  [
    'curl wget nc ncat netcat socat telnet ssh scp sftp rsync ftp tftp lftp aria2c http https xh axel rclone ssh-copy-id sshfs ' +
      'openssl mail sendmail mutt ping traceroute nslookup dig host',
    'it sends data over the network. Use a tool that fetches URLs, if there is one.',
  ],
  [
    'kill killall pkill skill snice fuser xkill',
    'it ends processes. The processes that a command starts end with the call.',
  ],
  [
    'nohup setsid disown daemonize screen tmux at batch crontab systemd-run start-stop-daemon dtach abduco',
    'the processes it starts would outlive the call. Run commands to completion.',
  ],
  [
    'docker podman nerdctl lxc lxc-attach runc ctr crictl kubectl virsh qemu-system-x86_64',
    'it acts outside the workspace.',
  ],
  ['gdb lldb strace ltrace ptrace perf bpftrace gcore', 'it inspects other processes.'],
  ['xmrig minerd cpuminer cgminer bfgminer ethminer xmr-stak t-rex nbminer', 'it mines cryptocurrency.'],
  [
    'vi vim nvim view ex ed rvim vimdiff emacs nano pico joe less more most man info top htop watch mc script expect dialog',
    'it needs a terminal or starts other programs. Use the tools for files.',
  ],
  ['xargs parallel', 'it builds commands whose arguments cannot be checked. Give the arguments directly.'],
  ['shred', 'it destroys files irrecoverably. Use rm.'],
]

const REASONS: ReadonlyMap<string, string> = new Map(
  BY_REASON.flatMap(([names, reason]) => names.split(' ').map(name => [name, reason] as const)),
)

/** Returns why a coding agent may not run a program. `undefined` if it may. */
export function refusalOfProgram(name: string): string | undefined {
  if (/^mkfs(?:\.|$)/.test(name)) return 'it works on disks.'
  return REASONS.get(name)
}
