#!/bin/bash
# Every law on every impact: no law without an answer or a reason, closed forms of single impacts and
# of the cradle, energies, what options change; refusals.
# usage: tests/project/impact_laws.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"

# --- all of it ------------------------------------------------------------------------------------
run
read -ra scenes <<<"$(text /overview/scenes)"
read -ra laws <<<"$(text /overview/laws)"
reads 'rows(/overview/contacts)' "${#scenes[@]}" 'scenes'
is "${laws[*]}" 'newton_moreau anitescu_potra sequential propagative sampling compliant' 'laws'
reads 'rows(/overview/place)' "${#scenes[@]}" 'places of the scenes'

# The figure names the scenes in the order of the table.
is "$(sed -n "/^SCENES = /,/[^\\\\]$/p" figures/impact_laws.gp | grep -o "'[a-z_0-9 ]*'" | tr -d "'\n" | xargs)" \
    "${scenes[*]}" 'scenes of the figure'

# Asked of all laws: answered (1) or, by what a law does not know, not (2); never failed (3), and not
# asked for (0) all or none.
for setting in elastic plastic friction own; do
    value "/overview/$setting/kind" | awk -v setting="$setting" '
        { zeros = 0; for (i = 1; i <= 6; i++) { if ($i == 3) bad++; if ($i == 0) zeros++ } }
        zeros != 0 && zeros != 6 || zeros == 6 && (setting == "elastic" || setting == "plastic") { bad++ }
        END { exit bad > 0 }' || fail "an answer is missing or has failed: $setting"
done
is "$(text /cradle/elastic/sequential/status)" 'does not apply: the law has no restitution' 'sequences, elastic'
is "$(text /flat_block/friction/propagative/status)" 'does not apply: the law has no friction' 'reflections, rough'
is "$(text /cradle/elastic/propagative/status)" answered 'reflections, elastic'
absent /cradle/friction/newton_moreau/count

# Nothing gains energy; without friction and with e = 1 nothing loses any (the compliant runs: 1e-10 a
# step, some thousand steps).
for setting in plastic friction own; do
    value "/overview/$setting/most_energy" | awk '{ for (i = 1; i <= 6; i++) if ($i != "nan" && $i > 1 + 1e-7) bad++ }
        END { exit bad > 0 }' || fail "energy is gained: $setting"
done
value /overview/elastic/least_energy /overview/elastic/most_energy | awk '
    { for (i = 1; i <= NF; i++) if ($i != "nan" && ($i < 1 - 1e-6 || $i > 1 + 1e-6)) bad++ }
    END { exit bad > 0 }' || fail 'an elastic impact does not keep its energy'

# One contact without friction: every law, to what inelastic springs give back (6e-6).
for scene in bouncing_ball bouncing_pendulum elastic_bar rocking_corner serial_chain clamped_bar armed_biped; do
    for setting in elastic plastic; do
        value "/$scene/$setting/distance" | awk '
            { for (i = 1; i <= NF; i++) if ($i != "nan" && $i > 1e-5) bad++ } END { exit bad > 0 }' \
            || fail "laws differ on the single contact of $scene, $setting"
    done
done

# Closed forms. The ball: 0.8^2 of its energy. The cradle: (0, 0, 1) and (-1, 2, 2)/3. The block of
# halm-2023, table 4: rest, or (0, 0.21 v0). The compass gait: three outcomes.
for law in newton_moreau propagative; do
    near "/bouncing_ball/own/$law/most_energy" 0.64 1e-14
done
near /bouncing_ball/own/compliant/most_energy 0.64 1e-7
for i in 0 1 2; do
    near "/cradle/elastic/propagative/velocity[0,$i]" "$((i / 2))" 1e-14
    near "/cradle/elastic/newton_moreau/velocity[0,$i]" "$(awk -v i="$i" 'BEGIN { printf "%.17g", (i ? 2 : -1)/3 }')" 1e-14
done
# Their distance in the kinetic metric, sqrt(6)/3; with the first contact stiffer springs do as the
# one, with the second as the other.
near '/cradle/elastic/distance[0,3]' "$(awk 'BEGIN { printf "%.17g", sqrt(6)/3 }')" 1e-14
near '/cradle/elastic/compliant/velocity[1,2]' 1 1e-3
near '/cradle/elastic/compliant/velocity[2,0]' "$(awk 'BEGIN { printf "%.17g", -1/3 }')" 1e-3
# Blocks and breaks are symmetric, so that both laws are limits there, as for this cradle.
reads /measures/moreau_limit_count 6 'scenes whose Newton-Moreau outcome is a limit'
reads '/measures/reflections_limit_count >= 6' 1 'scenes whose reflections are limits'
near /flat_block/friction/anitescu_potra/most_energy 0 1e-20
value /flat_block/friction/sequential/normal_velocity | awk -v v0=0.44294469180700204 '
    { high = $1 > $2 ? $1 : $2; d = high - 0.21*v0; if (d*d > 1e-20) bad++ } END { exit !(NR == 2 && bad == 0) }' \
    || fail 'sequences of the block'
reads /compass_gait/friction/newton_moreau/count 3 'outcomes of the compass gait'
# Three equal springs in a row, the first and only exact values known to us: energy and momentum.
value '/cradle/elastic/compliant/velocity[0,:]' | awk '{ p += $1; e += $1*$1 }
    END { exit !((p - 1)^2 < 1e-16 && (e - 1)^2 < 1e-12) }' || fail 'balances of the compliant cradle'

# What the text says of energies and orders.
reads '/measures/gaining_count + /measures/rough_gaining_count' 0 'gains of energy'
keeps_energy() {
    for law in 0 3; do
        near "max(abs(/overview/elastic/least_energy[:,$law] - 1))" 0 1e-9
        near "max(abs(/overview/elastic/most_energy[:,$law] - 1))" 0 1e-9
    done
}
keeps_energy
near 'max(/overview/plastic/count[:,3])' 1 0
reads /measures/answer_count "$(for setting in elastic plastic friction own; do
    value "/overview/$setting/kind"
done | awk '{ for (i = 1; i <= 6; i++) n += $i == 1 } END { print n }')" 'answers of all laws'

# Speeds before: of falls over 0.801 m and 17 cm, of the pendulum from 15 above to 45 degrees below the
# horizontal, of the bar, of a corner one width from the other, of the breaks along their normals.
awk 'BEGIN { pi = atan2(0, -1); printf "/bouncing_ball/before/velocity[0] %.17g\n", -sqrt(2*10*0.801)
    printf "/trex_table_1/before/velocity[1] %.17g\n", -sqrt(2*981*17)
    printf "/bouncing_pendulum/before/velocity[0] %.17g\n", -sqrt(2*10*(sin(pi/12) + sqrt(0.5))/1.1)
    print "/elastic_bar/before/normal_velocity[0] -10\n/rocking_swing/before/normal_velocity[1] -1"
    for (t = 45; t <= 120; t += t == 45 ? 15 : 30)
        printf "/break_%d/before/normal_velocity[0] %.17g\n", t, -cos(t*pi/360) }' >"$scratch/speeds"
while read -r path speed; do
    near "$path" "$speed" 1e-11
done <"$scratch/speeds"

# Impulses make the velocities: momentum of the cradle, sum of c_n by the block's Delassus matrix.
value /cradle/elastic/newton_moreau/normal_impulse | awk '{ exit !(($1 - 4/3)^2 < 1e-24 && ($2 - 2/3)^2 < 1e-24) }' \
    || fail 'impulses of the cradle'

# --- options --------------------------------------------------------------------------------------
# A restitution of one's own, in a closed form for one contact by all laws that know it.
run --scene bouncing_ball --restitution 0.37
for law in newton_moreau propagative compliant; do
    near "/bouncing_ball/own/$law/most_energy" 0.1369 1e-7
done
run --scene bouncing_ball --restitution 1
absent /bouncing_ball/own/newton_moreau/count

# With full restitution and friction together Newton and Moreau's law does gain energy on some scene.
run --restitution 1 --friction 1 --samples 64
reads '/measures/rough_gaining_count > 0' 1 'gains with restitution and friction'
reads '/measures/gaining_count > 0' 1 'gains'
keeps_energy

# Compliant contacts: the more damping, the less comes back, about 1/(4 zeta^2)^2 of the energy.
for zeta in 20 80; do
    run --scene bouncing_ball --law compliant --damping-ratio "$zeta"
    near "/bouncing_ball/plastic/compliant/most_energy * 16 * $zeta^4" 1.015 0.035 "restitution of the damping ratio $zeta"
done
absent /bouncing_ball/plastic/newton_moreau/count

# The stiffer a contact, the nearer to the limits: like the inverse of the ratio or its square root.
last=1
for ratio in 1e2 1e4 1e6; do
    run --scene cradle --stiffness-ratio "$ratio"
    now=$(value '/cradle/elastic/distance[0,5]')
    awk -v a="$now" -v b="$last" 'BEGIN { exit !(a < b/5) }' || fail "no limit of the stiffness: $now after $last"
    last=$now
done
for law in 0 3; do
    near "/cradle/elastic/distance[$law,5] < 1 / sqrt(\$stiffness_ratio) * /cradle/elastic/distance[0,3]" 1 0
done

run --scene flat_block --friction 0
absent /flat_block/friction/newton_moreau/count
run --scene flat_block --friction 0.2 --samples 50
near "/flat_block/before/friction[1]" 0.2 1e-16
reads '/flat_block/friction/sampling/count <= 50' 1 'no more outcomes than samples'
absent /leaning_box/friction/sequential/count

# Nothing is said of what was not asked: the set, limits, agreement of one law with itself.
misses=(/measures/set_misses_anitescu_potra /measures/set_misses_sequential /measures/set_misses_compliant)
run --law propagative
absent "${misses[@]}" /measures/{elastic_apart,moreau_limit,reflections_limit,friction_apart,rough}_count
near 'max(/overview/plastic/count[:,3])' 1 0
reads /measures/gaining_count 0 'reflections that gain energy'
run --friction 0
absent "${misses[@]}" /measures/{friction_apart,rough}_count
for setting in elastic plastic; do
    value "/break_90/$setting/distance" | awk '{ for (i = 1; i <= NF; i++) if ($i != "nan" && $i > 1e-4) bad++ }
        END { exit NR != 6 || bad > 0 }' || fail "laws differ on orthogonal contacts, $setting"
done
run --scene cradle
absent "${misses[@]}" /measures/friction_apart_count
run --scene break_90
reads /measures/elastic_apart_count 0 'laws apart at the right angle'
absent /measures/{moreau,reflections}_limit_count
run --scene cradle --stiffness-ratio 10
reads /measures/moreau_limit_count 0 'limits of a ratio of 10'

first=
for seed in 3 4; do
    run --scene flat_block --law sampling --samples 64 --seed "$seed"
    drawn=$(value /flat_block/friction/sampling/energy_ratio)
    [[ $drawn != "$first" ]] || fail '--seed changes nothing'
    first=$drawn
done

# What cannot be computed is said, and recorded with its reason.
run --scene leaning_box --law compliant --friction 1e6
grep -q 'answers failed' "$scratch/stdout" || fail 'failures are not announced'
grep -q '^failed: ' <<<"$(text /leaning_box/friction/compliant/status)" || fail 'a failure has no reason'

refuse 2 '--scene must be one of' --scene pendulum
refuse 2 '--law must be one of' --law newton
refuse 2 'samples must lie in [1, 1048576], got 0' --samples 0
refuse 2 'samples must lie in [1, 1048576], got 100000000' --samples 100000000
refuse 2 'restitution must lie in' --restitution 1.01
refuse 2 'friction must lie in [0, 1e7], got -0.1' --friction=-0.1
refuse 2 'friction must lie in [0, 1e7], got 1e9' --friction 1e9
refuse 2 'stiffness-ratio must lie in [1e-6, 1e6]' --stiffness-ratio 0
refuse 2 "damping-ratio must be finite" --damping-ratio nan
refuse 2 'damping-ratio must lie in (0, 1e6]' --damping-ratio 1e9
refuse 2 'stiffness-ratio must lie in [1e-6, 1e6]' --stiffness-ratio 1e-9
refuse 2 "unknown option" --stiffness 1e6
