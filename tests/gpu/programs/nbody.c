/* nbody: bodies that attract each other, an array of structures, leapfrog steps.

   Parallel: i (forces on body i change its velocity only) and move. Serial: j, whose forces sum in
   registers; t, which needs the places and velocities of the step before (flow, output; anti for
   the velocities, which move has read). */
#include <math.h>
#include <stdio.h>

#ifndef BODIES
#define BODIES 96
#endif
#ifndef STEPS
#define STEPS 3
#endif

typedef float real;

typedef struct {
    real x, y, z;
    real vx, vy, vz;
} Body;

static Body bodies[BODIES];

static void simulate(Body *p, int n, int steps, float dt)
{
    const float softening = 1e-3f;

    for (int t = 0; t < steps; t++) { /* @t */
        for (int i = 0; i < n; i++) { /* @i */
            float fx = 0.0f, fy = 0.0f, fz = 0.0f;
            for (int j = 0; j < n; j++) { /* @j */
                const float dx = p[j].x - p[i].x;
                const float dy = p[j].y - p[i].y;
                const float dz = p[j].z - p[i].z;
                const float square = dx * dx + dy * dy + dz * dz + softening;
                const float inverse = 1.0f / sqrtf(square);
                const float strength = inverse * inverse * inverse;
                fx += dx * strength;
                fy += dy * strength;
                fz += dz * strength;
            }
            p[i].vx += dt * fx;
            p[i].vy += dt * fy;
            p[i].vz += dt * fz;
        }
        for (int i = 0; i < n; i++) { /* @move */
            p[i].x += p[i].vx * dt;
            p[i].y += p[i].vy * dt;
            p[i].z += p[i].vz * dt;
        }
    }
}

int main(void)
{
    double energy = 0;

    for (int i = 0; i < BODIES; i++) {
        bodies[i].x = (float)((i * 37) % 101) / 50.0f - 1.0f;
        bodies[i].y = (float)((i * 53) % 97) / 48.0f - 1.0f;
        bodies[i].z = (float)((i * 71) % 89) / 44.0f - 1.0f;
        bodies[i].vx = bodies[i].vy = bodies[i].vz = 0.0f;
    }
    simulate(bodies, BODIES, STEPS, 0.01f);
    for (int i = 0; i < BODIES; i++)
        energy += 0.5 * ((double)bodies[i].vx * bodies[i].vx + (double)bodies[i].vy * bodies[i].vy
                         + (double)bodies[i].vz * bodies[i].vz);
    printf("%.6f\n", energy);
    return 0;
}
