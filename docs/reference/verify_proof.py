"""Verifies an archive of Tenure, and a proof of its head: verify_proof.py ARCHIVE [PROOF [PUBLIC-KEY]]"""
import base64, gzip, hashlib, json, struct, sys

def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def text(size, value): return struct.pack(size, len(value.encode())) + value.encode()
def require(holds, what): holds or sys.exit("does not fit: " + what)

def links(archive):  # the workflow, and the link of each commit, after the chain was compared
    lines = [json.loads(line) for line in gzip.open(archive, "rt", encoding="utf-8", newline="\n")]
    workflow, link, found = lines[0]["workflow"], bytes(32), []
    for line in lines:
        if payload := line.get("payload"):
            require(sha(base64.b64decode(payload["content"])).hex() == payload["hash"], "payload " + payload["hash"])
        if row := line.get("commit"):
            stored, at, numbers = base64.b64decode(row["stored"]), 1, []
            for _ in range(5):  # of 7 bits a byte: length, completed operations, version, shard, epoch
                start = at
                while stored[at] & 128: at += 1
                at += 1
                numbers.append(sum((byte & 127) << 7 * i for i, byte in enumerate(stored[start:at])))
            fits = stored[0] == 2 and stored[at:at + 32] == link
            fits &= numbers[2:] == [row["version"], row["shard"], row["epoch"]] and row["version"] == len(found) + 1
            require(fits, f"version {len(found) + 1}")
            writer = bytes.fromhex(row["writer"].replace("-", ""))
            link = sha(b"\2", text(">H", workflow), writer, text("B", row["manifest"]), stored)
            found.append(link.hex())
    require(lines[-1]["end"]["link"] == link.hex() and lines[-1]["end"]["commits"] == len(found), "the end")
    return workflow, found

def root(index, leaves, leaf, path):  # RFC 6962
    if leaves == 1: return leaf
    half = 1 << (leaves - 1).bit_length() - 1
    return (sha(b"\1", root(index, half, leaf, path[:-1]), path[-1]) if index < half
            else sha(b"\1", path[-1], root(index - half, leaves - half, leaf, path[:-1])))

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, RFC 8032
D = -121665 * pow(121666, -1, P) % P
def add(a, b):
    k = D * a[0] * b[0] * a[1] * b[1]
    return (a[0] * b[1] + a[1] * b[0]) * pow(1 + k, -1, P) % P, (a[1] * b[1] + a[0] * b[0]) * pow(1 - k, -1, P) % P
def times(n, a): return (0, 1) if n == 0 else add(times(n - 1, a), a) if n & 1 else times(n >> 1, add(a, a))
def point(data):
    y = int.from_bytes(data, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    require(x * x % P == square, "a point of the signature")
    return (x if x & 1 == data[31] >> 7 else P - x), y
def signed(message, signature, key):
    base, s = point((4 * pow(5, -1, P) % P).to_bytes(32, "little")), int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    return s < Q and times(s, base) == add(point(signature[:32]), times(h, point(key)))

workflow, found = links(sys.argv[1])
if len(sys.argv) > 2:
    proof = json.load(open(sys.argv[2], encoding="utf-8"))
    check, head = proof["checkpoint"], proof["head"]
    require(head["id"] == workflow and head["link"] in found[head["version"] - 1:head["version"]], "the head of the proof")
    leaf = sha(b"\0", text(">I", workflow), struct.pack(">q", head["version"]), bytes.fromhex(head["link"]))
    top = root(proof["index"], check["heads"], leaf, [bytes.fromhex(one) for one in proof["path"]]).hex()
    require(top == check["root"], "the root")
    message = f"tenure-checkpoint/1\n{check['createdAt']}\n{check['heads']}\n{top}\n".encode()
    require(signed(message, bytes.fromhex(check["signature"]), bytes.fromhex(check["key"])), "the signature")
    require(len(sys.argv) < 4 or sys.argv[3] == check["key"], "the key " + check["key"])
print("fits:", workflow, len(found), "commits, head", found[-1])
